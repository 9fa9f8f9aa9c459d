package io.coppice.app;

import io.coppice.app.port.BrowserHeaders;
import io.coppice.app.port.LimitedProtocol;
import io.coppice.app.port.Ports;
import io.coppice.app.port.UnreadBodies;
import io.coppice.app.port.VasaPortFilter;
import io.coppice.app.port.WireTrace;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.tls.TlsFiles;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.soap.VersionDocument;
import io.coppice.vasa.soap.translate.MessageCatalogs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.catalina.connector.Connector;
import org.apache.cxf.transport.servlet.CXFServlet;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.ResourceLoader;

/// The two ports and what is at which path.
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

  static final String SERVICE_PATH = "/vasa/services/vasaService";
  static final String SERVICE_1_PATH = "/vasa/services/vasaService1";

  /// The VASA port; the management port is the web server's own.
  @Bean
  Connector vasaConnector(
      CoppiceProperties properties, ProviderCertificate certificate, RefusedClients refused) {
    var connector = new Connector(LimitedProtocol.watched(refused::brokenOff));
    Ports.bind(connector, properties.vasa().address(), properties.vasa().port());
    Ports.limit(connector, properties.vasa().limits().ofConnections());
    Ports.secure(connector, certificate.current(), Ports.ClientCertificate.WANTED);
    certificate.servedBy(next -> Ports.swap(connector, next, Ports.ClientCertificate.WANTED));
    return connector;
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> ports(
      CoppiceProperties properties, TlsFiles tls, Connector vasaConnector) {
    return factory -> {
      factory.setProtocol(LimitedProtocol.class.getName());
      factory.addConnectorCustomizers(
          connector -> {
            Ports.bind(
                connector, properties.management().address(), properties.management().port());
            Ports.limit(connector, properties.management().ofConnections());
            Ports.secure(connector, tls.management().current(), Ports.ClientCertificate.NONE);
            tls.management()
                .servedBy(next -> Ports.swap(connector, next, Ports.ClientCertificate.NONE));
          });
      factory.setPort(properties.management().port());
      factory.addAdditionalConnectors(vasaConnector);
      factory.addEngineValves(new BrowserHeaders(vasaConnector::getLocalPort), new UnreadBodies());
    };
  }

  @Bean
  FilterRegistrationBean<VasaPortFilter> vasaPortFilter(
      CoppiceProperties properties, Connector vasaConnector) {
    var filter =
        new FilterRegistrationBean<>(
            new VasaPortFilter(
                vasaConnector::getLocalPort,
                properties.vasa().limits().requestSize().toBytes(),
                properties.vasa().limits().requestTime(),
                properties.management().requestTime()));
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    filter.addUrlPatterns("/*");
    return filter;
  }

  @Bean
  @ConditionalOnExpression("!'${coppice.vasa.wire-trace}'.isBlank()")
  FilterRegistrationBean<WireTrace> wireTrace(CoppiceProperties properties, InstantSource clock) {
    var trace = new WireTrace(Path.of(properties.vasa().wireTrace()), clock);
    var filter = new FilterRegistrationBean<>(trace);
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    filter.addUrlPatterns("/vasa/*");
    return filter;
  }

  @Bean
  ServletRegistrationBean<CXFServlet> soapServlet() {
    var servlet = new ServletRegistrationBean<>(new CXFServlet(), "/vasa/services/*");
    servlet.addInitParameter("hide-service-list-page", "true");
    servlet.setLoadOnStartup(1);
    return servlet;
  }

  @Bean
  ServletRegistrationBean<VersionDocument> versionServlet(
      CoppiceProperties properties, ResourceLoader resources) throws IOException {
    String template =
        resources
            .getResource(properties.vasa().versionDocument())
            .getContentAsString(StandardCharsets.UTF_8);
    Map<String, String> values = new HashMap<>();
    values.put("service", SERVICE_PATH);
    if (properties.vasa().version1().offered()) {
      values.put("service-1", SERVICE_1_PATH);
    }
    CoppiceProperties.Version3 version3 = properties.vasa().version3();
    if (version3.offered()) {
      values.put("version-3", version3.version());
    }
    var document = new VersionDocument(template, values);
    return new ServletRegistrationBean<>(document, "/vasa/version.xml");
  }

  @Bean
  ServletRegistrationBean<MessageCatalogs.Files> catalogServlet() {
    return new ServletRegistrationBean<>(new MessageCatalogs.Files(), MessageCatalogs.PATH + "*");
  }
}
