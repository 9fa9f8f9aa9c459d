package io.coppice.app;

import io.coppice.app.database.DatabaseLink;
import io.coppice.app.database.DeferredDataSource;
import io.coppice.app.pool.PoolLink;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.alert.AlertRounds;
import io.coppice.vasa.alert.delivery.AlertTargets;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.syslog.SyslogForwarder;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.housekeeping.HousekeepingRounds;
import io.coppice.vasa.volume.copy.BackgroundCopies;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The database and the control plane's start.
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

  @Bean
  JdbcClient jdbcClient(DeferredDataSource dataSource) {
    return JdbcClient.create(dataSource);
  }

  @Bean
  JdbcTransactionManager transactionManager(DeferredDataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }

  @Bean
  TransactionTemplate transactionTemplate(JdbcTransactionManager manager) {
    return new TransactionTemplate(manager);
  }

  @Bean
  ControlPlane controlPlane(
      CoppiceProperties properties,
      DatabaseLink link,
      DeferredDataSource dataSource,
      StorageEngine engine,
      JdbcClient jdbc,
      List<StartStep> steps,
      HousekeepingRounds housekeeping,
      BackgroundCopies copies,
      AuditTrail audit,
      SyslogForwarder syslog,
      AlertRounds alerts,
      AlertTargets targets,
      StartupProgress stages,
      InstantSource clock,
      WorkGate gate) {
    return new ControlPlane(
        link,
        dataSource,
        new PoolLink(engine, jdbc, clock),
        properties.database().rebuild(),
        steps,
        () -> {
          copies.close();
          housekeeping.close();
          targets.close();
          alerts.close();
          syslog.close();
          audit.close();
        },
        stages,
        gate);
  }
}
