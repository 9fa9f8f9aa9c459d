package io.coppice.app;

import io.coppice.admin.EffectiveSettings;
import io.coppice.admin.IdentityFacts;
import io.coppice.admin.IscsiPortals;
import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.AdminToken;
import io.coppice.admin.health.Planes;
import io.coppice.admin.login.LoginSettings;
import io.coppice.app.notice.ServiceNotices;
import io.coppice.app.setting.AdvertisedAddresses;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.SettingSources;
import io.coppice.app.tls.OwnIdentity;
import io.coppice.app.tls.TlsFiles;
import io.coppice.vasa.event.HistorySettings;
import java.time.InstantSource;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/// Facts of the surrounding process that the REST API needs.
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {

  @Bean
  AdminToken adminToken(Home home) {
    return AdminToken.of(Home.secret(home.adminToken()));
  }

  @Bean
  LoginSettings loginSettings(CoppiceProperties properties) {
    return properties.accounts();
  }

  @Bean
  HistorySettings historySettings(CoppiceProperties properties) {
    return new HistorySettings(
        properties.management().eventsKept(), properties.management().eventStreams());
  }

  @Bean
  SystemFacts systemFacts(
      Connector vasaConnector,
      ServletWebServerApplicationContext context,
      DataPlane dataPlane,
      CoppiceProperties properties) {
    AdvertisedAddresses reach = new AdvertisedAddresses(properties);
    return new SystemFacts(
        Application.version(),
        () -> reach.vasa(vasaConnector.getLocalPort(), WebConfiguration.SERVICE_PATH),
        () -> reach.management(managementPort(context), "/api/v1"),
        () -> reach.portals(dataPlane.portals()));
  }

  private static int managementPort(ServletWebServerApplicationContext context) {
    var server = context.getWebServer();
    return server == null ? 0 : server.getPort();
  }

  @Bean
  IscsiPortals iscsiPortals(DataPlane dataPlane, SystemFacts facts, InstantSource clock) {
    return new PortalLink(dataPlane.iscsi(), facts.portals(), clock);
  }

  @Bean
  EffectiveSettings effectiveSettings(ConfigurableEnvironment environment) {
    return () -> SettingSources.of(environment);
  }

  @Bean
  IdentityFacts identityFacts(
      TlsFiles tls, SystemFacts facts, Home home, CoppiceProperties properties) {
    return new OwnIdentity(tls, facts, home, properties.vasa().userName());
  }

  @Bean
  ServiceNotices serviceNotices(Planes planes) {
    return new ServiceNotices(System.getenv(), planes);
  }
}
