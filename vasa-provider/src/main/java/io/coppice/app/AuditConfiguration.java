package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.StartupException;
import io.coppice.app.tls.TlsFiles;
import io.coppice.app.tool.trail.ToolRecord;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRows;
import io.coppice.vasa.audit.AuditSpool;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.audit.syslog.SyslogForwarder;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.time.SeenTime;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/// The audit trail. It writes from the first call on: to disk until the database is in use.
@Configuration(proxyBeanMethods = false)
class AuditConfiguration {

  @Bean
  AuditSpool auditSpool(CoppiceProperties properties, Home home) {
    try {
      return new AuditSpool(home.auditSpool(), properties.audit().spoolSize().toBytes());
    } catch (IOException e) {
      throw new StartupException(
          "the folder %s of the audit trail cannot be used: %s".formatted(home.auditSpool(), e), e);
    }
  }

  /// Ended by the control plane, before the database.
  @Bean(destroyMethod = "")
  AuditTrail auditTrail(
      JdbcClient jdbc,
      JdbcTransactionManager transactions,
      StorageEngine engine,
      AuditSpool spool,
      WorkGate gate,
      Home home,
      CoppiceProperties properties,
      SeenTime time,
      InstantSource clock) {
    AuditTrail trail =
        new AuditTrail(
            new AuditTrail.Places(jdbc, transactions, engine.records(), spool, gate::isOpen),
            home.auditKey(),
            properties.audit().settings(),
            time,
            clock);
    trail.start();
    trail.startRounds();
    if (properties.database().rebuild()) {
      trail.entries().append(ToolRecord.of("rebuild", Outcome.ACCEPTED, List.of()));
    }
    return trail;
  }

  @Bean(destroyMethod = "")
  AuditLog auditLog(AuditTrail trail) {
    return trail.entries();
  }

  @Bean
  OwnWork ownWork(AuditTrail trail) {
    return trail.ownWork();
  }

  /// Ended by the control plane, too, before the trail.
  @Bean(destroyMethod = "")
  SyslogForwarder syslogForwarder(
      AuditTrail trail,
      JdbcClient jdbc,
      CoppiceProperties properties,
      TlsFiles tls,
      WorkGate gate) {
    SyslogForwarder forwarder =
        new SyslogForwarder(
            trail,
            jdbc,
            properties.audit().syslog().settings(),
            tls.names().getFirst(),
            gate::isOpen);
    forwarder.start();
    return forwarder;
  }

  @Bean
  AuditRows auditRows(AuditTrail trail) {
    return trail.rows();
  }
}
