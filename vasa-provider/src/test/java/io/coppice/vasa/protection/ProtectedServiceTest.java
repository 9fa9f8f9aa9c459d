package io.coppice.vasa.protection;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.protection.rule.FivePolicies;
import io.coppice.vasa.protection.rule.MomentTable;
import io.coppice.vasa.protection.rule.PointModel;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The whole service of protection on a clock of the test: rounds, rows, snapshots of the engine,
/// outages with restarts, and zones that change their offset. At each hour the points, and the
/// snapshots in the pool, are those of a model ([PointModel]), no more and no fewer.
///
/// A group is looked at when a moment of it comes, and once an hour at least. What is too old goes
/// with that look; so the model is asked about the time of a group's last look.
///
/// `-Dprotected.machines=50 -Dprotected.days=28` is the whole: four weeks of 50 machines.
class ProtectedServiceTest {

  private static final int MACHINES = Integer.getInteger("protected.machines", 5);
  private static final int DAYS = Integer.getInteger("protected.days", 4);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1).plusSeconds(330);

  /// Cairo goes back on the 29th, Berlin on the 31st, New York on the 7th of November.
  private static final Instant BEGIN = Instant.parse("2027-10-28T12:00:00Z");

  private final long seed = Long.getLong("test.seed", 63);
  private final Random random = new Random(seed);
  private final List<Machine> machines = new ArrayList<>();
  private ControlPlane plane = new ControlPlane();
  private int outages;
  private int taken;
  private int compared;

  /// A machine and its group, with the model of its points.
  private static final class Machine {
    private final UUID group;
    private final int disks;
    private final PointModel model;
    private Instant judged;

    Machine(UUID group, int disks, PointModel model, Instant begin) {
      this.group = group;
      this.disks = disks;
      this.model = model;
      this.judged = begin;
    }
  }

  @Test
  void thePointsAndSnapshotsThatAreKeptAreThoseThatTheRulesName() {
    plane.clock.jump(Duration.between(plane.clock.instant(), BEGIN));
    restart(); // with that clock from the first moment on
    protect();
    Instant end = BEGIN.plus(Duration.ofDays(DAYS));
    Instant nextHour = BEGIN;
    double outageChance = 12 * 180 / (double) Duration.ofDays(28).toSeconds();

    while (plane.clock.instant().isBefore(end)) {
      if (random.nextDouble() < outageChance) {
        plane.clock.advance(Duration.ofSeconds(60 + random.nextInt(23 * 3600)));
        outages++;
        restart();
      } else {
        plane.clock.advance(Duration.ofSeconds(30 + random.nextInt(300)));
      }
      plane.time.keep();
      round();
      Instant now = plane.clock.instant();
      if (!now.isBefore(nextHour)) {
        nextHour = now.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        compare(now);
      }
    }

    assertThat(compared).isGreaterThan(DAYS * 6);
    assertThat(outages).as("outages of seed %d", seed).isPositive();
    assertThat(taken).isGreaterThan(MACHINES * DAYS * 10);
  }

  private void restart() {
    plane.target.close();
    plane = plane.restarted();
    assertThat(plane.reconciliation.atStart()).isEmpty();
  }

  private void protect() {
    StorageContainer container = plane.container("c1");
    List<UUID> policies = new ArrayList<>();
    List<MomentTable> tables = new ArrayList<>();
    for (int i = 0; i < FivePolicies.ALL.size(); i++) {
      ProtectionDraft draft = new ProtectionDraft("p" + i, "", FivePolicies.ALL.get(i));
      policies.add(plane.protection.policies.create(draft, "ada").id());
      tables.add(new MomentTable(FivePolicies.ALL.get(i), BEGIN, Duration.ofDays(DAYS + 2)));
    }
    for (int i = 0; i < MACHINES; i++) {
      int policy = i % policies.size();
      int disks = 1 + i % 2;
      for (int disk = 0; disk < disks; disk++) {
        plane.volume(container, GIB, Map.of("VMW_VmID", "vm-" + i));
      }
      GroupDraft draft =
          new GroupDraft(
              "vm-" + i, policies.get(policy), List.of(new ProtectedMember.Machine("vm-" + i)));
      machines.add(
          new Machine(
              plane.protection.groups.protect(draft).id(),
              disks,
              new PointModel(FivePolicies.ALL.get(policy), tables.get(policy), BEGIN),
              BEGIN));
    }
  }

  private void round() {
    Instant now = plane.clock.instant();
    Set<UUID> due = due();
    int expected = 0;
    for (Machine machine : machines) {
      expected += machine.model.look(now) ? 1 : 0;
    }
    int came = plane.protection.rounds.round();
    while (!due().isEmpty()) { // a round that took too long has left the others
      came += plane.protection.rounds.round();
    }
    assertThat(came).as("points of the round at %s, seed %d", now, seed).isEqualTo(expected);
    taken += came;
    machines.stream()
        .filter(machine -> due.contains(machine.group))
        .forEach(machine -> machine.judged = now);
  }

  private Set<UUID> due() {
    return new HashSet<>(
        plane
            .jdbc
            .sql("select id from protection_group where look_at <= :now")
            .param("now", plane.time.now().atOffset(java.time.ZoneOffset.UTC))
            .query(UUID.class)
            .list());
  }

  private void compare(Instant now) {
    compared++;
    int snapshots = 0;
    Map<VolumeId, VolumeKind> pool = new HashMap<>();
    plane.engine.list().forEach(info -> pool.put(info.id(), info.kind()));
    for (Machine machine : machines) {
      List<KeptPoint> kept = plane.protection.points.of(machine.group);
      assertThat(kept.stream().map(point -> point.point().taken()).toList())
          .as("points at %s, looked at %s, seed %d", now, machine.judged, seed)
          .isEqualTo(machine.model.kept(machine.judged));
      assertThat(Duration.between(machine.judged, now)).isLessThan(LONGEST_PAUSE);
      for (KeptPoint point : kept) {
        assertThat(point.snapshots()).hasSize(machine.disks);
        assertThat(pool.keySet()).containsAll(point.snapshots());
        snapshots += point.snapshots().size();
      }
    }
    assertThat(pool.values().stream().filter(VolumeKind.SNAPSHOT::equals).count())
        .as("snapshots in the pool at %s, seed %d", now, seed)
        .isEqualTo(snapshots);
  }
}
