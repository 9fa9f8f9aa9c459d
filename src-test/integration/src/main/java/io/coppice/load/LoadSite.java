package io.coppice.load;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One provider process, one vCenter that registered it, and its hosts.
public final class LoadSite implements AutoCloseable {

  static final Duration START = Duration.ofMinutes(3);

  private final ProviderProcess provider;
  private final CallLog calls = new CallLog();
  private final ClientOptions options;
  private final VCenter vcenter;
  private final String container;
  private final List<EsxiHost> hosts = new ArrayList<>();

  /// Starts a provider in `home` and registers it.
  ///
  /// @param schemas whether every message is checked against the schemas, which costs the client
  public LoadSite(Path jar, Path home, List<String> settings, boolean schemas) throws IOException {
    provider = new ProviderProcess(jar, home, settings);
    options = schemas ? ClientOptions.defaults() : ClientOptions.defaults().withSchemas(null);
    try {
      provider.start();
      provider.awaitReady(START);
      vcenter = new VCenter("vcenter-load", options, calls);
      vcenter.register(
          provider.vasa().resolve("/vasa/version.xml"), "vasa", provider.vasaPassword());
      container =
          rest()
              .post("containers", "{\"name\": \"load\", \"quota\": %d}".formatted(1L << 46))
              .get("id")
              .asString();
    } catch (IOException | RuntimeException e) {
      provider.stop();
      throw e;
    }
  }

  /// Adds a host with a VASA session; with an iSCSI session too, or with endpoints that it only
  /// says it sees.
  public EsxiHost addHost(String name, boolean withSession) {
    EsxiHost host = EsxiHost.of(vcenter, name, options, calls);
    hosts.add(host);
    host.openSession();
    if (withSession) {
      String target =
          Discovery.sendTargets(provider.portal(), LoginSettings.of(host.initiatorName(), 1))
              .stream()
              .filter(found -> found.name().endsWith(":pe"))
              .findFirst()
              .orElseThrow()
              .name();
      host.connect(provider.portal(), target);
    } else {
      host.declare();
    }
    return host;
  }

  public ProviderProcess provider() {
    return provider;
  }

  public VCenter vcenter() {
    return vcenter;
  }

  public CallLog calls() {
    return calls;
  }

  /// Id of the container.
  public String container() {
    return container;
  }

  public RestClient rest() {
    return new RestClient(provider.management(), provider.adminToken());
  }

  @Override
  public void close() {
    hosts.forEach(EsxiHost::close);
    vcenter.close();
    provider.stop();
  }
}
