package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.tls.CertificateRenewal;
import io.coppice.app.tls.TlsFiles;
import io.coppice.engine.StorageEngine;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.session.LoginGuard;
import io.coppice.vasa.session.ProviderRegistration;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.soap.CallMeter;
import io.coppice.vasa.soap.OperationInvoker;
import io.coppice.vasa.soap.VasaEndpoint;
import io.coppice.vasa.soap.VasaService;
import io.coppice.vasa.soap.Version1Endpoint;
import io.coppice.vasa.soap.audit.CallAudit;
import io.coppice.vasa.soap.operation.ReplicationOperations;
import io.coppice.vasa.soap.translate.EventMapper;
import io.coppice.vasa.soap.translate.MessageCatalogs;
import io.coppice.vasa.soap.translate.SessionMapper;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.spring.SpringBus;
import org.apache.cxf.endpoint.Server;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/// Trust, sessions, inventory and the SOAP service over them.
@Configuration(proxyBeanMethods = false)
@Import(VasaSettings.class)
class VasaConfiguration {

  @Bean
  TlsFiles tlsFiles(
      Home home, CoppiceProperties properties, InstantSource clock, StartupProgress stages) {
    try (var _ = stages.await("keys and certificates")) {
      return new TlsFiles(home, properties.tls(), clock);
    }
  }

  @Bean
  CertificateRenewal certificateRenewal(TlsFiles tls, OwnWork own, InstantSource clock) {
    return new CertificateRenewal(tls, own, clock);
  }

  @Bean
  ProviderCertificate providerCertificate(TlsFiles tls) {
    return tls.vasa();
  }

  @Bean
  LoginGuard loginGuard(CoppiceProperties properties, Home home, InstantSource clock) {
    return new LoginGuard(
        properties.vasa().userName(),
        () -> Home.secret(home.vasaPassword()),
        properties.vasa().sessions(),
        clock);
  }

  @Bean
  ProviderRegistration registration(
      LoginGuard guard,
      TrustSets trust,
      VasaSessions sessions,
      ProviderCertificate certificate,
      CoppiceProperties properties,
      InstantSource clock) {
    boolean retain = properties.vasa().certificate() == CoppiceProperties.CertificateMode.RETAIN;
    return new ProviderRegistration(guard, trust, sessions, certificate, retain, clock);
  }

  @Bean
  SessionMapper.ProviderIdentity providerIdentity(
      CoppiceProperties properties, StorageEngine engine) {
    return new SessionMapper.ProviderIdentity(
        properties.vasa().name(),
        engine.pool().id().toString(),
        Application.version(),
        properties.vasa().version3().offered() ? properties.vasa().version3().version() : "2.0");
  }

  @Bean
  Inventory inventory(
      StorageEngine engine,
      LunDirectory luns,
      TlsFiles tls,
      List<Inventory.EntityListing> listings) {
    return new Inventory(
        engine.pool().id(),
        tls.names().getFirst(),
        Application.version(),
        List.of(luns.endpointTarget(), luns.plainTarget()),
        listings);
  }

  @Bean
  EventMapper eventMapper(StorageEngine engine) {
    return new EventMapper(Inventory.arrayId(engine.pool().id()));
  }

  @Bean
  MessageCatalogs messageCatalogs(InstantSource clock) {
    return new MessageCatalogs(
        Application.version(), Instant.ofEpochSecond(clock.instant().getEpochSecond()));
  }

  @Bean
  OperationInvoker.OpenCalls openCalls(CoppiceProperties properties) {
    return new OperationInvoker.OpenCalls(properties.vasa().limits().callsWithoutSession());
  }

  @Bean
  OperationInvoker operationInvoker(
      VasaEndpoint endpoint,
      ReplicationOperations replication,
      VasaSessions sessions,
      RefusedClients refused,
      ControlPlane controlPlane,
      OperationInvoker.OpenCalls open,
      CallMeter meter,
      CallAudit audit) {
    return new OperationInvoker(
        List.of(endpoint, replication), sessions, refused, controlPlane::enter, open, meter, audit);
  }

  @Bean
  OperationInvoker version1Invoker(
      Version1Endpoint endpoint,
      VasaSessions sessions,
      RefusedClients refused,
      ControlPlane controlPlane,
      OperationInvoker.OpenCalls open,
      CallMeter meter,
      CallAudit audit) {
    return new OperationInvoker(
        List.of(endpoint), sessions, refused, controlPlane::enter, open, meter, audit);
  }

  @Bean(name = Bus.DEFAULT_BUS_ID, destroyMethod = "shutdown")
  SpringBus cxf() {
    return new SpringBus();
  }

  @Bean(destroyMethod = "destroy")
  Server vasaService(
      Bus bus,
      @Qualifier("operationInvoker") OperationInvoker invoker,
      CoppiceProperties properties) {
    CoppiceProperties.Version3 version3 = properties.vasa().version3();
    return VasaService.publish(
        bus,
        "/vasaService",
        new VasaService.Version3(version3.offered(), version3.namespace()),
        invoker,
        limits(properties));
  }

  @Bean(destroyMethod = "destroy")
  @ConditionalOnBooleanProperty("coppice.vasa.version-1.offered")
  Server version1Service(
      Bus bus,
      @Qualifier("version1Invoker") OperationInvoker invoker,
      CoppiceProperties properties) {
    return VasaService.publishVersion1(bus, "/vasaService1", invoker, limits(properties));
  }

  private static VasaService.RequestLimits limits(CoppiceProperties properties) {
    CoppiceProperties.Limits limits = properties.vasa().limits();
    return new VasaService.RequestLimits(
        limits.requestDepth(), limits.requestElements(), limits.requestSize().toBytes());
  }
}
