package io.coppice.sites;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.DiscoveredTarget;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// A host of one site, with the vCenter that registered the provider there.
public final class SiteHost implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final VCenter vcenter;
  private final EsxiHost host;

  /// Registers the provider, opens a session and connects to the endpoints.
  public SiteHost(Site site) {
    CallLog calls = new CallLog();
    vcenter = new VCenter("vcenter." + site.name(), ClientOptions.defaults(), calls);
    try {
      vcenter.register(
          site.process().vasa().resolve("/vasa/version.xml"),
          "vasa",
          site.process().vasaPassword());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    host = EsxiHost.of(vcenter, "esxi-" + site.name(), ClientOptions.defaults(), calls);
    host.openSession();
    String target =
        Discovery.sendTargets(site.process().portal(), LoginSettings.of(host.initiatorName(), 1))
            .stream()
            .map(DiscoveredTarget::name)
            .filter(name -> name.endsWith(":pe"))
            .findFirst()
            .orElseThrow(
                () -> new Mismatch("expected discovery to show the target of the endpoints"));
    host.connect(site.process().portal(), target);
  }

  public EsxiHost host() {
    return host;
  }

  /// Goes on after a start of the provider.
  public void comeBack() {
    host.reconnect(PATIENCE);
    host.reopenSession(PATIENCE);
  }

  /// All of a disk.
  public static byte[] read(VvolDisk disk) {
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(disk.disk().bytes()));
    disk.disk().read(0, all);
    return all.array();
  }

  @Override
  public void close() {
    host.close();
    vcenter.close();
  }
}
