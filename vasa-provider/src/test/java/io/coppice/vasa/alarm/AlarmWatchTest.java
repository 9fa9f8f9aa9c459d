package io.coppice.vasa.alarm;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.ScrubFinding;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.certificate.CertificateFile;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.Event;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CountedDatabase;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.vasa.testing.TestReplication;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlarmWatchTest {

  private static final Duration VALIDITY = Duration.ofDays(100);

  @TempDir private static Path folder;
  private static ProviderCertificate certificate;

  private CountedDatabase database;
  private ControlPlane plane;
  private TestReplication replication;
  private Alarms alarms;
  private AlarmWatch watch;
  private StorageContainer container;
  private OfferedProfile thick;

  @BeforeAll
  static void issue() throws Exception {
    Instant now = new TestClock().instant();
    Path file = folder.resolve("vasa.pem");
    certificate =
        new ProviderCertificate(
            CertificateFile.open(
                file,
                () ->
                    Issuer.create("authority", now, VALIDITY)
                        .issue(List.of("provider.test"), now, VALIDITY)),
            folder.resolve("request.key"),
            List.of("provider.test"));
  }

  @BeforeEach
  void open() {
    database = new CountedDatabase(TestDatabase.fresh());
    plane = new ControlPlane(database);
    replication = new TestReplication(plane);
    alarms = new Alarms(plane.jdbc, plane.transactions, new EventSettings(1000, 100), plane.clock);
    watch =
        new AlarmWatch(
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
                new ReplicationWatch(replication.watch)),
            new AlarmSettings(Duration.ofSeconds(60), 80, 95),
            plane.clock);
    container = plane.containers.create("small", 10 * GIB);
    thick =
        plane.profiles.create(
            new ProfileDraft(
                "thick", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of()),
            "admin");
  }

  @Test
  void lookAtManyVolumesTakesFewStatements() {
    for (int i = 0; i < 30; i++) {
      plane.policies.apply(plane.volume(plane.container("c" + i), GIB), thick.asStorageProfile());
    }

    assertThat(database.of(watch::look).statements()).isLessThan(15);
  }

  @Test
  void replicationThatFailsAndIsPausedThenHasOneAlarm() {
    ReplicatedGroup group =
        replication.group(replication.peer("munich"), "shop", plane.volume(container, GIB).value());
    ReplicationGroups groups = replication.pool.groups();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> groups.synchronize(group.id(), "", List.of()))
          .isInstanceOf(VasaException.class);
    }
    watch.look();

    RaisedAlarm raised = alarms.active().getFirst();
    assertThat(alarms.active()).hasSize(1);
    assertThat(raised.type()).isEqualTo("Replication");
    assertThat(raised.objectType()).isEqualTo("ReplicationGroup");
    assertThat(raised.objectId()).isEqualTo(group.id().toString());
    assertThat(raised.status()).isEqualTo(RaisedAlarm.Status.RED);
    assertThat(raised.messageId()).isEqualTo("io.coppice.alarm.ReplicationFails");

    groups.remove(group.id());
    watch.look();
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void clockThatJumpedIsToldOfForADay() {
    ClockWatch clock = new ClockWatch(plane.time, plane.engine, plane.events);
    plane.clock.jump(Duration.ofDays(2));
    clock.look();
    clock.look();
    watch.look();

    assertThat(alarms.active())
        .extracting(RaisedAlarm::messageId)
        .containsExactly("io.coppice.alarm.ClockJumped");
    assertThat(plane.events.following(-1, 1000).stream().map(Event::messageId))
        .containsOnlyOnce("io.coppice.event.ClockJumped");
    plane.clock.advance(Duration.ofHours(25));
    watch.look();
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void clockThatWentBackHoldsNoAlarmUp() {
    watch.lookWhenDue();
    plane.clock.jump(Duration.ofDays(-30));
    plane.clock.advance(Duration.ofSeconds(61));
    volume(10 * GIB);

    watch.lookWhenDue();

    assertThat(alarms.active())
        .extracting(RaisedAlarm::messageId)
        .contains("io.coppice.alarm.ContainerSpace");
  }

  @Test
  void containerThatFillsTurnsYellowThenRedAndGreenWhenItEmpties() {
    VolumeId first = volume(8 * GIB);
    watch.look();
    watch.look();
    VolumeId second = volume(2 * GIB);
    watch.look();
    plane.volumes.delete(first);
    plane.volumes.delete(second);
    watch.look();

    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::status)
        .containsExactly(
            RaisedAlarm.Status.YELLOW, RaisedAlarm.Status.RED, RaisedAlarm.Status.GREEN);
    assertThat(alarms.after(-1))
        .allMatch(alarm -> alarm.type().equals("SpaceCapacity"))
        .allMatch(alarm -> alarm.objectId().equals(container.id().toString()));
    assertThat(alarms.after(-1).getFirst().parameters())
        .isEqualTo(Map.of("container", "small", "percent", "80"));
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void damagedBlocksAreARedAlarmOfTheirVolumeAndOneEventUntilTheyAreGone() {
    VolumeId id = volume(GIB);
    plane.damage().find(bad(id, 16));
    plane.damage().find(bad(id, 8));
    watch.look();
    watch.look();
    plane.damage().find(bad(id, 4096));
    watch.look();
    plane.damage().mend();
    watch.look();

    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::status)
        .containsExactly(RaisedAlarm.Status.RED, RaisedAlarm.Status.GREEN);
    RaisedAlarm red = alarms.after(-1).getFirst();
    assertThat(red.type()).isEqualTo("Object");
    assertThat(red.objectId()).isEqualTo("rfc4122." + id);
    assertThat(red.containerId()).isEqualTo(container.id().toString());
    assertThat(red.parameters()).isEqualTo(Map.of("object", "rfc4122." + id, "lbas", "8, 16"));
    assertThat(damageEvents())
        .extracting(event -> event.parameters().get("lbas"))
        .containsExactly("8, 16", "4096");
  }

  @Test
  void manyDamagedBlocksAreNamedUpToANumber() {
    VolumeId id = volume(GIB);
    for (int i = 0; i < 20; i++) {
      plane.damage().find(bad(id, 8L * i));
    }
    watch.look();

    assertThat(alarms.active().getFirst().parameters().get("lbas"))
        .startsWith("0, 8, 16, ")
        .endsWith(", 120 and 4 more");
  }

  @Test
  void damageOfThePoolItselfIsAnAlarmOfTheArrayUnlessItWasReplaced() {
    plane.damage().find(new ScrubFinding.BadMetadata("the first", true, Instant.EPOCH));
    watch.look();
    assertThat(alarms.active()).isEmpty();
    plane.damage().find(new ScrubFinding.BadMetadata("a map node", false, Instant.EPOCH));
    VolumeId stranger = VolumeId.random();
    plane.damage().find(bad(stranger, 64));
    watch.look();

    assertThat(alarms.active()).hasSize(1);
    RaisedAlarm red = alarms.active().getFirst();
    assertThat(red.objectType()).isEqualTo("StorageArray");
    assertThat(red.parameters().get("what")).isEqualTo("a map node, LBA 64 of volume " + stranger);
    assertThat(damageEvents()).hasSize(3);
  }

  @Test
  void thePoolHasOneAlarmForTheWorstThatIsKnownOfIt() {
    MemoryEngine pool = (MemoryEngine) plane.engine;
    plane.damage().find(new ScrubFinding.BadMetadata("a map node", false, Instant.EPOCH));
    pool.degrade("The second device is missing.");
    watch.look();
    watch.look();
    pool.stop("The pool stopped because its log could not be written.");
    watch.lookWhenDue();
    watch.look();

    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::messageId)
        .containsExactly("io.coppice.alarm.PoolDegraded", "io.coppice.alarm.PoolStopped");
    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::status)
        .containsOnly(RaisedAlarm.Status.RED);
    assertThat(alarms.after(-1).getFirst().parameters().get("what"))
        .isEqualTo("The second device is missing. a map node");
    assertThat(alarms.after(-1).getLast().parameters())
        .containsEntry("what", "The pool stopped because its log could not be written.")
        .containsEntry("since", plane.clock.instant().toString());
    assertThat(poolEvents())
        .containsExactly("io.coppice.event.PoolDegraded", "io.coppice.event.PoolStopped");
  }

  @Test
  void aPoolThatServesAgainEndsItsAlarm() {
    MemoryEngine pool = (MemoryEngine) plane.engine;
    pool.degrade("The second device is missing.");
    watch.look();
    pool.degrade("");
    watch.lookWhenDue();

    assertThat(alarms.active()).isEmpty();
    assertThat(poolEvents())
        .containsExactly("io.coppice.event.PoolDegraded", "io.coppice.event.PoolServing");
  }

  private List<String> poolEvents() {
    return plane.events.following(-1, 1000).stream()
        .map(Event::messageId)
        .filter(id -> id.startsWith("io.coppice.event.Pool"))
        .toList();
  }

  private List<Event> damageEvents() {
    return plane.events.following(-1, 1000).stream()
        .filter(event -> event.messageId().startsWith("io.coppice.event.Damaged"))
        .toList();
  }

  private static ScrubFinding bad(VolumeId id, long lba) {
    return new ScrubFinding.BadBlock(
        id, lba, "segment 1 block 2", "found otherwise", Instant.EPOCH);
  }

  @Test
  void volumeThatDoesNotKeepItsPolicyIsAnAlarmUntilItDoesOrIsGone() {
    VolumeId kept = volume(GIB);
    VolumeId deleted = volume(GIB);
    watch.look();
    assertThat(alarms.active()).isEmpty();

    plane.engine.reserve(OperationId.random(), kept, false);
    plane.engine.reserve(OperationId.random(), deleted, false);
    watch.look();
    assertThat(alarms.active())
        .extracting(RaisedAlarm::objectId)
        .containsExactlyInAnyOrder("rfc4122." + kept, "rfc4122." + deleted);
    assertThat(alarms.active())
        .allMatch(alarm -> alarm.type().equals("Compliance"))
        .allMatch(alarm -> alarm.status() == RaisedAlarm.Status.YELLOW);

    plane.engine.reserve(OperationId.random(), kept, true);
    plane.volumes.delete(deleted);
    watch.look();
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void volumeThatLacksRecoveryPointsIsAnAlarmUntilItIsProtected() {
    thick =
        plane.profiles.create(
            new ProfileDraft(
                "points",
                "",
                new Requirements(
                    null,
                    null,
                    null,
                    Requirements.NONE.limits(),
                    new PointDemand(Duration.ofHours(1), null, null)),
                Set.of()),
            "ada");
    VolumeId bare = volume(GIB);
    watch.look();
    assertThat(alarms.active())
        .extracting(RaisedAlarm::objectId)
        .containsExactly("rfc4122." + bare);

    var rule =
        new ProtectionRule(
            "hour", new Recurrence.Hourly(0), new Keeping.Newest(24), PointNaming.USUAL);
    var policy =
        plane.protection.policies.create(
            new ProtectionDraft("gold", "", new ProtectionRules(List.of(rule))), "ada");
    plane.protection.groups.protect(
        new GroupDraft("shop", policy.id(), List.of(new ProtectedMember.Volume(bare))));
    watch.look();
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void certificateThatEndsIsAnAlarmAt90And30And7Days() {
    for (int day = 0; day < 99; day++) {
      watch.look();
      plane.clock.advance(Duration.ofDays(1));
    }

    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::messageId)
        .containsExactly(
            "io.coppice.alarm.CertificateEnds90",
            "io.coppice.alarm.CertificateEnds30",
            "io.coppice.alarm.CertificateEnds7");
    assertThat(alarms.after(-1))
        .extracting(RaisedAlarm::status)
        .containsExactly(
            RaisedAlarm.Status.YELLOW, RaisedAlarm.Status.YELLOW, RaisedAlarm.Status.RED);
    assertThat(alarms.active()).hasSize(1);
    assertThat(alarms.active().getFirst().type()).isEqualTo("Manageability");
    assertThat(alarms.active().getFirst().parameters())
        .containsEntry("until", certificate.current().leaf().getNotAfter().toInstant().toString());
  }

  @Test
  void nothingIsLookedAtBeforeThePeriodIsOver() {
    watch.lookWhenDue();
    volume(9 * GIB);
    watch.lookWhenDue();
    List<RaisedAlarm> early = alarms.after(-1);
    plane.clock.advance(Duration.ofSeconds(60));
    watch.lookWhenDue();

    assertThat(early).isEmpty();
    assertThat(alarms.after(-1)).hasSize(1);
  }

  private VolumeId volume(long sizeInBytes) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                thick.asStorageProfile(),
                sizeInBytes,
                Map.of())));
  }
}
