package io.coppice.app;

import io.coppice.admin.AdminToken;
import io.coppice.admin.IscsiPortals;
import io.coppice.admin.Readiness;
import io.coppice.admin.SystemFacts;
import io.coppice.vasa.gate.WorkGate;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What the REST API needs to know of the process around it.
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {

  @Bean
  AdminToken adminToken(Home home) {
    return AdminToken.of(Home.secret(home.adminToken()));
  }

  @Bean
  Readiness readiness(ControlPlane controlPlane) {
    return new Readiness() {
      @Override
      public void requireReady() {
        controlPlane.requireReady();
      }

      @Override
      public WorkGate.Pass enter() {
        return controlPlane.enter();
      }
    };
  }

  @Bean
  SystemFacts systemFacts(
      TlsFiles tls,
      Connector vasaConnector,
      ServletWebServerApplicationContext context,
      DataPlane dataPlane,
      CoppiceProperties properties) {
    String name = tls.names().getFirst();
    return new SystemFacts(
        Application.version(),
        () -> url(name, vasaConnector.getLocalPort(), WebConfiguration.SERVICE_PATH),
        () -> url(name, managementPort(context), "/api/v1"),
        () -> portals(dataPlane.portals(), properties.iscsi().advertise(), name));
  }

  private static int managementPort(ServletWebServerApplicationContext context) {
    var server = context.getWebServer();
    return server == null ? 0 : server.getPort();
  }

  private static URI url(String name, int port, String path) {
    return URI.create("https://%s:%d%s".formatted(name, port, path));
  }

  @Bean
  IscsiPortals iscsiPortals(DataPlane dataPlane, SystemFacts facts) {
    return new PortalLink(dataPlane.iscsi(), facts.portals());
  }

  /// An address that stands for all is of no use to an initiator: it gets the name instead.
  private static List<String> portals(
      List<InetSocketAddress> listening, List<String> advertised, String name) {
    return IntStream.range(0, listening.size())
        .mapToObj(i -> told(listening.get(i), advertised.isEmpty() ? "" : advertised.get(i), name))
        .toList();
  }

  private static String told(InetSocketAddress portal, String advertised, String name) {
    String port = ":" + portal.getPort();
    if (!advertised.isEmpty()) {
      return advertised.matches("[^:]+|\\[.*]") ? advertised + port : advertised;
    }
    InetAddress address = portal.getAddress();
    if (address.isAnyLocalAddress()) {
      return name + port;
    }
    String text = address.getHostAddress();
    return (address instanceof Inet6Address ? "[" + text + "]" : text) + port;
  }
}
