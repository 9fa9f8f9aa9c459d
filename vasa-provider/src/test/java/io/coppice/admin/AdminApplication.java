package io.coppice.admin;

import io.coppice.admin.access.AdminToken;
import io.coppice.admin.login.LoginSettings;
import io.coppice.admin.metrics.CertificateEnds;
import io.coppice.admin.metrics.MetricsSettings;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertRows;
import io.coppice.vasa.alert.AlertSettings;
import io.coppice.vasa.alert.delivery.AlertTargets;
import io.coppice.vasa.alert.delivery.DeliverySettings;
import io.coppice.vasa.alert.delivery.TargetRows;
import io.coppice.vasa.approval.Approvals;
import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRows;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.event.HistorySettings;
import io.coppice.vasa.export.BinnedExports;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.history.Forecasts;
import io.coppice.vasa.history.History;
import io.coppice.vasa.history.HistoryRecorder;
import io.coppice.vasa.history.RecordingSettings;
import io.coppice.vasa.history.Sources;
import io.coppice.vasa.history.SpaceForecasts;
import io.coppice.vasa.housekeeping.OrphanSettings;
import io.coppice.vasa.housekeeping.Orphans;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.pool.Scrubbing;
import io.coppice.vasa.pool.StoragePool;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.SessionLimits;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.statistics.OffloadStatistics;
import io.coppice.vasa.statistics.Statistics;
import io.coppice.vasa.statistics.StatisticsSettings;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.bin.BinTimes;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.copy.Comparisons;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.policy.VolumeLimits;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.vasa.volume.snapshot.Ancestry;
import io.coppice.vasa.volume.snapshot.LockLimit;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.watch.VolumeWatches;
import io.coppice.vasa.watch.WatchAnswers;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The REST API alone, over a [ControlPlane]. It is no `@Configuration`, so that no scan finds it.
@EnableAutoConfiguration
@ComponentScan("io.coppice.admin")
@Import({
  EarlierContent.class,
  LoadBeans.class,
  ProtectionBeans.class,
  ReplicationBeans.class,
  RunbookBeans.class,
  VerdictBeans.class
})
class AdminApplication {

  @Bean
  AdminToken adminToken() {
    return AdminToken.of(AdminServer.ADMIN);
  }

  @Bean
  LoginSettings loginSettings() {
    return new LoginSettings(
        Duration.ofMinutes(30), Duration.ofHours(12), 10, 2, Duration.ofMinutes(5));
  }

  @Bean
  Readiness readiness(ControlPlane control) {
    return new Readiness() {
      @Override
      public Optional<String> obstacle() {
        try (var _ = control.gate.enter()) {
          return Optional.empty();
        } catch (VasaException e) {
          return Optional.of("the gate is closed");
        }
      }

      @Override
      public void requireReady() {}

      @Override
      public WorkGate.Pass enter() {
        return control.gate.enter();
      }
    };
  }

  @Bean
  SystemFacts systemFacts() {
    return new SystemFacts(
        "1.2.3",
        () -> URI.create("https://localhost:8443/vasa/services/vasaService"),
        () -> URI.create("https://localhost:9443/api/v1"),
        () -> List.of("127.0.0.1:3260"));
  }

  @Bean
  PrometheusMeterRegistry registry() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  @Bean
  MetricsSettings metricsSettings(Environment environment) {
    return new MetricsSettings(
        environment.getProperty("without-token", Boolean.class, false),
        Duration.ofSeconds(environment.getProperty("patience", Integer.class, 2)));
  }

  @Bean
  CertificateEnds certificates(ControlPlane control) {
    return () -> Map.of("vasa", control.clock.instant().plusSeconds(86_400));
  }

  @Bean
  Alarms alarms(ControlPlane control) {
    return new Alarms(
        control.jdbc, control.transactions, new EventSettings(1000, 100), control.clock);
  }

  @Bean
  AlertTargets targets(ControlPlane control, ChangeLog changes) {
    return new AlertTargets(
        new AlertTargets.Keeping(
            new TargetRows(control.jdbc, SecretBox.of(new byte[SecretBox.KEY_BYTES])),
            control.transactions,
            changes),
        new DeliverySettings(
            16,
            10,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            Duration.ZERO,
            false),
        control.clock);
  }

  @Bean
  AlertBoard alertBoard(ControlPlane control, ChangeLog changes, AlertTargets targets) {
    return new AlertBoard(
        new AlertBoard.Places(new AlertRows(control.jdbc), control.transactions, changes),
        List.of(targets),
        new AlertSettings(Duration.ofSeconds(1), Duration.ZERO, Duration.ofDays(1), 100),
        control.clock,
        System::nanoTime);
  }

  @Bean
  IscsiPortals iscsiPortals() {
    return new ScriptedPortals();
  }

  @Bean
  DataSource dataSource(ControlPlane control) {
    return control.database;
  }

  @Bean
  JdbcClient jdbcClient(ControlPlane control) {
    return control.jdbc;
  }

  @Bean
  InstantSource clock(ControlPlane control) {
    return control.clock;
  }

  @Bean
  AuditTrail auditTrail(ControlPlane control) {
    AuditTrail trail = control.auditTrail();
    trail.start();
    return trail;
  }

  @Bean(destroyMethod = "")
  AuditLog auditLog(AuditTrail trail) {
    return trail.entries();
  }

  @Bean
  AuditRows auditRows(AuditTrail trail) {
    return trail.rows();
  }

  @Bean
  SeenTime time(ControlPlane control) {
    return control.time;
  }

  @Bean
  StoragePool pool(ControlPlane control) {
    return new StoragePool(control.engine);
  }

  @Bean
  Scrubbing scrubbing(ControlPlane control) {
    return new Scrubbing(control.engine, control.store.changes());
  }

  @Bean
  Statistics statistics(ControlPlane control) {
    return new Statistics(
        control.engine,
        control.target.traffic(),
        new StatisticsSettings(true, StatisticsSettings.Form.VALUES, ",", Duration.ofSeconds(20)),
        control.clock);
  }

  @Bean(destroyMethod = "close")
  HistoryRecorder historyRecorder(ControlPlane control, Environment environment) {
    return new HistoryRecorder(
        new RecordingSettings(true, 1 << 30, 64 << 20, 0),
        Path.of(environment.getProperty("history-folder", "target/never-recorded")),
        new Sources(
            control.target.traffic(),
            control.engine::space,
            control.spaces::measured,
            () -> {
              Map<UUID, ContainerSpace> found = new HashMap<>();
              control
                  .spaces
                  .ofContainers(control.containers.list())
                  .forEach((id, content) -> found.put(id, content.space()));
              return found;
            }),
        new HistoryRecorder.Clocks(control.clock, control.clock::nanos, control.clock));
  }

  @Bean
  History recorded(ControlPlane control, HistoryRecorder recorder) {
    return new History(recorder, control.spaces, control.clock);
  }

  @Bean
  Forecasts forecasts(History history) {
    return new SpaceForecasts(history);
  }

  @Bean(destroyMethod = "")
  VolumeWatches watches(ControlPlane control) {
    return control.watch.watches;
  }

  @Bean
  WatchAnswers watchAnswers(ControlPlane control) {
    return control.watch.answers;
  }

  @Bean
  OffloadStatistics offloads(ControlPlane control) {
    return new OffloadStatistics(control.target.offloadCounts());
  }

  @Bean
  Containers containers(ControlPlane control) {
    return control.containers;
  }

  @Bean
  Tasks tasks(ControlPlane control) {
    return control.tasks;
  }

  @Bean
  Comparisons comparisons(ControlPlane control) {
    return control.comparisons;
  }

  @Bean
  SpaceStatistics spaces(ControlPlane control) {
    return control.spaces;
  }

  @Bean
  VirtualVolumes volumes(ControlPlane control) {
    return control.volumes;
  }

  @Bean
  BinTimes binTimes(ControlPlane control) {
    return control.binTimes;
  }

  @Bean
  RecycleBin bin(ControlPlane control) {
    return control.bin;
  }

  @Bean
  Ancestry ancestry(ControlPlane control) {
    return new Ancestry(control.store);
  }

  @Bean
  Bindings bindings(ControlPlane control) {
    return control.bindings;
  }

  @Bean
  Endpoints endpoints(ControlPlane control) {
    return control.endpoints;
  }

  @Bean
  KnownHosts knownHosts(ControlPlane control) {
    return new KnownHosts(control.luns, control.store.changes());
  }

  @Bean
  PlainHosts plainHosts(ControlPlane control) {
    return control.plainHosts;
  }

  @Bean
  Exports exports(ControlPlane control) {
    return control.exports;
  }

  @Bean
  TemporaryExports temporaryExports(ControlPlane control) {
    return control.temporary;
  }

  @Bean
  Orphans orphans(ControlPlane control) {
    return new Orphans(control.store, control.temporary, new OrphanSettings(Duration.ZERO));
  }

  @Bean
  BinnedExports binnedExports(ControlPlane control, Exports exports) {
    return new BinnedExports(exports, control.luns, control.volumes, control.bin, control.locks);
  }

  @Bean
  Profiles profiles(ControlPlane control) {
    return control.profiles;
  }

  @Bean
  Snapshots snapshots(ControlPlane control) {
    return control.snapshots;
  }

  @Bean
  VolumePolicies policies(ControlPlane control) {
    return control.policies;
  }

  @Bean
  VolumeLimits limits(ControlPlane control) {
    return control.limits;
  }

  @Bean
  SnapshotSchedules schedules(ControlPlane control) {
    return control.schedules;
  }

  @Bean
  LockLimit lockLimit(ControlPlane control) {
    return control.lockLimit;
  }

  @Bean
  Approvals approvals(ControlPlane control) {
    return new Approvals(
        control.jdbc,
        control.transactions,
        List.of(control.lockLimit, control.binTimes),
        control.store.changes(),
        control.clock,
        control.time);
  }

  @Bean
  LockedSnapshots lockedSnapshots(ControlPlane control) {
    return control.locked;
  }

  @Bean
  EventLog events(ControlPlane control) {
    return new EventLog(
        control.jdbc, control.transactions, new EventSettings(1000, 100), control.clock);
  }

  @Bean
  HistorySettings historySettings() {
    return new HistorySettings(1000, 3);
  }

  @Bean
  ChangeHistory history(ControlPlane control, HistorySettings settings) {
    return new ChangeHistory(control.jdbc, control.transactions, settings);
  }

  @Bean
  ChangeLog changes(ControlPlane control) {
    return control.store.changes();
  }

  @Bean
  TrustSets trust(ControlPlane control) {
    return new TrustSets(control.jdbc, control.transactions, control.clock);
  }

  @Bean
  RefusedClients refused(ControlPlane control) {
    return new RefusedClients(control.clock);
  }

  @Bean
  VasaSessions sessions(ControlPlane control, TrustSets trust) {
    return new VasaSessions(
        trust,
        control.luns,
        new SessionLimits(
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            1,
            1,
            1,
            1,
            1,
            8,
            256,
            Duration.ZERO,
            Duration.ZERO),
        control.clock);
  }
}
