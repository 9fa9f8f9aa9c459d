package io.coppice.vasa.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.vasa.alarm.AlarmSettings;
import io.coppice.vasa.alarm.AlarmWatch;
import io.coppice.vasa.alarm.CertificateWatch;
import io.coppice.vasa.alarm.ClockWatch;
import io.coppice.vasa.alarm.DamageWatch;
import io.coppice.vasa.alarm.ReplicationWatch;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.certificate.CertificateFile;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.event.HistorySettings;
import io.coppice.vasa.protection.continuous.TimelineRoom;
import io.coppice.vasa.session.SessionLimits;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.task.TaskEnds;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CostTable;
import io.coppice.vasa.testing.CountedDatabase;
import io.coppice.vasa.testing.CountedDatabase.Cost;
import io.coppice.vasa.testing.Crowd;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.vasa.testing.TestReplication;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cost of each duty of a round, in questions to the database, beside 10,000 volumes with schedules
/// and 40,000 snapshots, as `docs/benchmarks.md` says: when there is nothing to do nearly nothing,
/// once a second, and otherwise so much for each thing that is done.
class RoundCostTest {

  private static final Duration VALIDITY = Duration.ofDays(1000);

  /// More than one search finds.
  private static final int WAITING = 1005;

  private static final int STATEMENTS_OF_A_DELETION = 8;

  @TempDir private static Path folder;

  private final HikariDataSource connections = new HikariDataSource();
  private CountedDatabase database;
  private ControlPlane plane;
  private Alarms alarms;
  private HousekeepingRounds housekeeping;

  @BeforeEach
  void open() throws Exception {
    connections.setDataSource(TestDatabase.fresh());
    connections.setMaximumPoolSize(4);
    connections.setConnectionInitSql("set synchronous_commit = off");
    database = new CountedDatabase(connections);
    plane = new ControlPlane(database);
    Crowd.fill(plane.jdbc, plane.container("many").id(), plane.container("few").id());
    alarms =
        new Alarms(plane.jdbc, plane.transactions, new EventSettings(100_000, 100), plane.clock);
    AuditTrail trail = plane.auditTrail();
    housekeeping =
        new HousekeepingRounds(
            plane.schedules,
            plane.protection.rounds,
            plane.protection.continuous,
            new TimelineRoom(plane.store, plane.binRounds, plane.ownWork),
            plane.watch.answers,
            plane.temporary,
            plane.snapshots,
            plane.binRounds,
            sessions(),
            plane.reconciliation,
            plane.tasks,
            new ChangeHistory(plane.jdbc, plane.transactions, new HistorySettings(100_000, 3)),
            watch(),
            new ClockWatch(plane.time, plane.engine, plane.events),
            new ScrubWatch(plane.engine, plane.ownWork, plane.clock),
            new TaskEnds(plane.jdbc, trail.entries(), trail.rows(), plane.clock),
            plane.ownWork,
            plane.time,
            plane.gate);
  }

  @AfterEach
  void close() {
    connections.close();
  }

  private VasaSessions sessions() {
    return new VasaSessions(
        new TrustSets(plane.jdbc, plane.transactions, plane.clock),
        plane.luns,
        new SessionLimits(
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            Duration.ZERO,
            Duration.ZERO),
        plane.clock);
  }

  private AlarmWatch watch() throws Exception {
    Instant now = plane.clock.instant();
    var certificate =
        new ProviderCertificate(
            CertificateFile.open(
                folder.resolve("vasa.pem"),
                () ->
                    Issuer.create("authority", now, VALIDITY)
                        .issue(List.of("provider.test"), now, VALIDITY)),
            folder.resolve("request.key"),
            List.of("provider.test"));
    return new AlarmWatch(
        alarms,
        new AlarmWatch.Watched(
            plane.engine,
            plane.containers,
            plane.spaces,
            plane.volumes,
            plane.policies,
            new DamageWatch(plane.engine, plane.volumes, plane.events),
            new CertificateWatch(certificate, plane.engine, plane.clock),
            new ClockWatch(plane.time, plane.engine, plane.events),
            plane.auditWatch(),
            new ReplicationWatch(new TestReplication(plane).watch)),
        new AlarmSettings(Duration.ofSeconds(60), 80, 95),
        plane.clock);
  }

  @Test
  void everyDutyCostsWhatTheTableSays() {
    CostTable table = new CostTable("Duties of a round");
    Map<String, Runnable> duties = housekeeping.duties();
    plane.jdbc.sql("update snapshot_schedule set last_run = now() + interval '1 year'").update();

    duties.forEach((name, duty) -> table.saw(name + ", first", database.of(duty)));
    duties.forEach((name, duty) -> table.saw(name, database.of(duty)));

    table.agrees();
  }

  @Test
  void searchForExpiredSnapshotsReadsThoseAlone() {
    Instant oldest =
        plane
            .jdbc
            .sql("select min(kept_until) from volume")
            .query(OffsetDateTime.class)
            .single()
            .toInstant();
    plane.clock.advance(Duration.between(plane.clock.instant(), oldest).plusSeconds(4));

    Cost five = database.of(() -> assertThat(plane.schedules.deleteExpired()).isEqualTo(5));
    Cost none = database.of(() -> assertThat(plane.schedules.deleteExpired()).isZero());

    assertThat(five.statements()).isLessThanOrEqualTo(1 + 5 * STATEMENTS_OF_A_DELETION);
    assertThat(five.read()).isLessThanOrEqualTo(5 * 20);
    assertThat(none.statements()).isEqualTo(1);
    assertThat(none.read()).as("what is left of the five in the index").isLessThanOrEqualTo(20);
  }

  @Test
  void snapshotsThatWaitCostOneStatementAndHoldNoOthersUp() {
    List<VolumeId> expired =
        plane
            .jdbc
            .sql("select id from volume where kept_until is not null order by kept_until limit ?")
            .param(WAITING + 5)
            .query((row, _) -> new VolumeId(row.getObject("id", UUID.class)))
            .list();
    plane
        .jdbc
        .sql("update volume set kept_until = null where id <> all(?)")
        .param(expired.stream().map(VolumeId::value).toArray(UUID[]::new))
        .update();
    plane.declareHost();
    for (VolumeId snapshot : expired.subList(0, WAITING)) {
      plane.engine.create(
          OperationId.random(), new VolumeSpec(snapshot, ControlPlane.MIB, false, Map.of()));
      plane.luns.bind(OperationId.random(), ControlPlane.HOST, snapshot, Set.of(endpoint()));
    }
    plane.clock.advance(Duration.ofDays(30));

    Cost cost = database.of(() -> assertThat(plane.schedules.deleteExpired()).isEqualTo(5));
    Cost waiting = database.of(() -> assertThat(plane.schedules.deleteExpired()).isZero());

    assertThat(cost.statements()).isLessThanOrEqualTo(2 + 5 * STATEMENTS_OF_A_DELETION);
    assertThat(waiting.statements()).isEqualTo(2);
  }

  private int endpoint() {
    return plane.luns.endpoints().getFirst().lun();
  }

  @Test
  void alarmsOfAllVolumesAreRaisedAndEndedInSets() {
    plane.jdbc.sql("update snapshot_schedule set enabled = false").update();
    Runnable alarmDuty = housekeeping.duties().get("alarms");

    Cost raised = database.of(alarmDuty);
    int active = alarms.active().size();
    plane.jdbc.sql("delete from volume where snapshot is false").update();
    plane.clock.advance(Duration.ofSeconds(61));
    Cost ended = database.of(alarmDuty);

    assertThat(active).isEqualTo(Crowd.VOLUMES - Crowd.FEW);
    assertThat(alarms.active()).isEmpty();
    assertThat(raised.statements()).isLessThanOrEqualTo(100);
    assertThat(ended.statements()).isLessThanOrEqualTo(60);
  }
}
