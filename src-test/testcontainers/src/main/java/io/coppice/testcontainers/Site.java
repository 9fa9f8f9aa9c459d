package io.coppice.testcontainers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;

/// A running Coppice with its addresses, its secrets and its clients.
record Site(
    Containers containers,
    Management management,
    String token,
    URI versionXml,
    String vasaPassword,
    InetSocketAddress portal,
    Clients clients)
    implements AutoCloseable {

  /// Takes over the containers, and stops them if they cannot be used.
  ///
  /// @throws ContainerLaunchException if the provider lacks its secrets or answers no call
  static Site of(Containers containers) {
    @Nullable Management management = null;
    try {
      management = Management.of(containers.provider());
      return of(containers, management);
    } catch (IOException | RuntimeException e) {
      if (management != null) {
        management.close();
      }
      containers.close();
      throw new ContainerLaunchException(
          "expected a provider with secrets that answers calls, got " + e, e);
    }
  }

  private static Site of(Containers containers, Management management) throws IOException {
    GenericContainer<?> provider = containers.provider();
    String host = provider.getHost();
    String token = Management.secret(provider, "admin.token");
    String password = Management.secret(provider, "vasa.password");
    URI versionXml =
        URI.create(
            "https://%s:%d/vasa/version.xml"
                .formatted(host, provider.getMappedPort(Containers.VASA_PORT)));
    InetSocketAddress portal =
        new InetSocketAddress(host, provider.getMappedPort(Containers.ISCSI_PORT));
    String target =
        management.get(token, "system").get("targets").get("protocolEndpoints").asString();
    Clients clients = new Clients(new Clients.Addresses(versionXml, password, portal, target));
    return new Site(containers, management, token, versionXml, password, portal, clients);
  }

  @Override
  public void close() {
    clients.close();
    management.close();
    containers.close();
  }
}
