package io.coppice.it;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import java.io.IOException;
import java.io.UncheckedIOException;

/// A provider with a registered vCenter, one connected host and an empty container.
final class RegisteredSite implements AutoCloseable {

  private final RunningProvider provider;
  private final VCenter vcenter;
  private final EsxiHost host;
  private final String container;

  RegisteredSite(RunningProvider provider, ClientOptions options) {
    this.provider = provider;
    CallLog log = new CallLog();
    vcenter = new VCenter("vcenter.test", options, log);
    try {
      vcenter.register(
          provider.process().vasa().resolve("/vasa/version.xml"),
          "vasa",
          provider.process().vasaPassword());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    container =
        provider
            .rest()
            .post("containers", "{\"name\": \"site\", \"quota\": %d}".formatted(1L << 40))
            .get("id")
            .asString();
    host = EsxiHost.of(vcenter, "esxi-test", options, log);
    host.openSession();
    String target =
        Discovery.sendTargets(
                provider.process().portal(), LoginSettings.of(host.initiatorName(), 1))
            .stream()
            .filter(found -> found.name().endsWith(":pe"))
            .findFirst()
            .orElseThrow()
            .name();
    host.connect(provider.process().portal(), target);
  }

  RunningProvider provider() {
    return provider;
  }

  VCenter vcenter() {
    return vcenter;
  }

  EsxiHost host() {
    return host;
  }

  /// Id of the container.
  String container() {
    return container;
  }

  @Override
  public void close() {
    host.close();
    vcenter.close();
  }
}
