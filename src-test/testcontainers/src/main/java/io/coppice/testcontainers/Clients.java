package io.coppice.testcontainers;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The vCenter, the hosts and the initiators of one provider, which are closed together.
///
/// Safe for several threads.
final class Clients implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Clients.class);

  private final Addresses provider;
  private final ClientOptions options = ClientOptions.defaults();
  private final CallLog calls = new CallLog();
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private @Nullable VCenter vcenter;

  /// The places where a provider is found, and its secret.
  record Addresses(
      URI versionXml, String vasaPassword, InetSocketAddress portal, String endpointTarget) {}

  Clients(Addresses provider) {
    this.provider = provider;
  }

  /// The one vCenter, registered at the first call.
  synchronized VCenter vcenter() {
    VCenter registered = vcenter;
    if (registered == null) {
      registered = register(new VCenter("vcenter.test", options, calls));
      vcenter = registered;
    }
    return registered;
  }

  private VCenter register(VCenter made) {
    closings.push(made::close);
    try {
      made.register(provider.versionXml(), "vasa", provider.vasaPassword());
      return made;
    } catch (IOException e) {
      throw new IllegalStateException(
          "expected vCenter to register %s, got %s".formatted(provider.versionXml(), e), e);
    }
  }

  /// A new host that is ready to bind.
  synchronized EsxiHost host(String name) {
    EsxiHost host = EsxiHost.of(vcenter(), name, options, calls);
    closings.push(host::close);
    host.openSession();
    host.connect(provider.portal(), provider.endpointTarget());
    return host;
  }

  /// A new session of an initiator with a target.
  synchronized IscsiPath initiator(String name, String target) {
    LoginSettings login = LoginSettings.of(name, 1);
    IscsiPath path = IscsiPath.open(provider.portal(), target, login, new WireCounters());
    closings.push(path::close);
    return path;
  }

  /// Closes the last one first. A test may have ended the provider by then, or closed its clients:
  /// that is no failure.
  @Override
  public synchronized void close() {
    while (!closings.isEmpty()) {
      try {
        closings.pop().run();
      } catch (RuntimeException e) {
        log.debug("a client could not be closed", e);
      }
    }
  }
}
