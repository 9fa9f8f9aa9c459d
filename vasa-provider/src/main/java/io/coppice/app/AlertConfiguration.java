package io.coppice.app;

import io.coppice.admin.IscsiPortals;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.tls.TlsFiles;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertListener;
import io.coppice.vasa.alert.AlertRounds;
import io.coppice.vasa.alert.AlertRows;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.alert.delivery.AlertTargets;
import io.coppice.vasa.alert.delivery.TargetRows;
import io.coppice.vasa.alert.source.CertificateSource;
import io.coppice.vasa.alert.source.ControlPlaneSource;
import io.coppice.vasa.alert.source.HistorySource;
import io.coppice.vasa.alert.source.HomeSource;
import io.coppice.vasa.alert.source.LockedSpaceSource;
import io.coppice.vasa.alert.source.ReplicationSource;
import io.coppice.vasa.alert.source.ScheduleSource;
import io.coppice.vasa.alert.source.SuspectSource;
import io.coppice.vasa.alert.source.TimelineSource;
import io.coppice.vasa.alert.source.ViolationSource;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.history.Forecasts;
import io.coppice.vasa.history.History;
import io.coppice.vasa.protection.ProtectionRounds;
import io.coppice.vasa.protection.continuous.PointCuts;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import io.coppice.vasa.watch.WatchAnswers;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Alerts, and the sources that need facts of this process.
@Configuration(proxyBeanMethods = false)
class AlertConfiguration {

  private static AlertSubject system(StorageEngine engine) {
    return new AlertSubject("system", engine.pool().id().toString(), null, null);
  }

  @Bean
  AlertBoard alertBoard(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      ChangeLog changes,
      List<AlertListener> listeners,
      CoppiceProperties properties,
      InstantSource clock) {
    return new AlertBoard(
        new AlertBoard.Places(new AlertRows(jdbc), transactions, changes),
        listeners,
        properties.alerts().settings(),
        clock,
        System::nanoTime);
  }

  @Bean
  AlertSource controlPlaneSource(
      ObjectProvider<ControlPlane> control, CoppiceProperties properties, StorageEngine engine) {
    return new ControlPlaneSource(
        () -> control.getObject().obstacle(),
        properties.alerts().settle(),
        system(engine),
        System::nanoTime);
  }

  @Bean
  AlertSource certificateSource(TlsFiles tls, InstantSource clock) {
    return new CertificateSource(tls::ends, clock);
  }

  @Bean
  AlertSource scheduleSource(
      SnapshotSchedules schedules,
      ProtectionRounds protection,
      CoppiceProperties properties,
      StorageEngine engine) {
    return new ScheduleSource(
        () -> Collections.max(List.of(schedules.lag(), protection.lag())),
        properties.alerts().scheduleLag(),
        system(engine));
  }

  @Bean
  AlertSource violationSource(
      ObjectProvider<IscsiPortals> portals, CoppiceProperties properties, StorageEngine engine) {
    return new ViolationSource(
        () -> portals.getObject().violations().values().stream().mapToLong(Long::longValue).sum(),
        properties.alerts().violations(),
        system(engine),
        System::nanoTime);
  }

  @Bean
  AlertSource homeSource(Home home, CoppiceProperties properties, StorageEngine engine) {
    return new HomeSource(home.path(), properties.alerts().homeFree().toBytes(), system(engine));
  }

  @Bean
  AlertSource historySource(
      History history,
      Forecasts forecasts,
      Containers containers,
      CoppiceProperties properties,
      StorageEngine engine,
      InstantSource clock) {
    boolean wanted = properties.history().settings().enabled();
    return new HistorySource(
        () -> wanted ? history.obstacle() : Optional.empty(),
        containers::list,
        forecasts,
        properties.alerts().forecast(),
        system(engine),
        clock,
        System::nanoTime);
  }

  @Bean
  AlertSource lockedSpaceSource(StorageEngine engine, Forecasts forecasts, InstantSource clock) {
    return new LockedSpaceSource(engine, forecasts, system(engine), clock, System::nanoTime);
  }

  @Bean
  AlertSource suspectSource(WatchAnswers answers) {
    return new SuspectSource(answers::open);
  }

  @Bean
  AlertSource timelineSource(PointCuts cuts, StorageEngine engine) {
    return new TimelineSource(cuts, system(engine));
  }

  @Bean
  AlertSource replicationSource(LagWatch watch) {
    return new ReplicationSource(watch);
  }

  /// Ended by the control plane, after the rounds.
  @Bean(destroyMethod = "")
  AlertTargets alertTargets(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      ChangeLog changes,
      CoppiceProperties properties,
      Home home,
      InstantSource clock) {
    return new AlertTargets(
        new AlertTargets.Keeping(new TargetRows(jdbc, home.alertSecrets()), transactions, changes),
        properties.alerts().delivery(),
        clock);
  }

  /// Ended by the control plane, before the database.
  @Bean(destroyMethod = "")
  AlertRounds alertRounds(
      AlertBoard board, List<AlertSource> sources, CoppiceProperties properties, WorkGate gate) {
    AlertRounds rounds = new AlertRounds(board, sources, properties.alerts().settings(), gate);
    rounds.start();
    return rounds;
  }
}
