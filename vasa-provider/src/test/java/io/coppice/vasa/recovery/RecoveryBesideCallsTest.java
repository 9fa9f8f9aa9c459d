package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.ControlPlane.prepared;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.copy.Clones.NewClone;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.RecoveryFinding;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Recovery that begins while a change is between two of its steps, as when the database goes and
/// comes back under it, leaves the change alone: it waits for it.
@Timeout(60)
class RecoveryBesideCallsTest {

  private ControlPlane plane;
  private StorageContainer container;
  private OfferedProfile thick;
  private VolumeId disk;
  private VolumeId second;
  private VolumeId snapshot;

  /// A change, the call of the engine in its middle, and what it made.
  private record Change(String call, Work work) {}

  @FunctionalInterface
  private interface Work {
    List<VolumeId> of(RecoveryBesideCallsTest test);
  }

  private static final Map<String, Change> CHANGES =
      Map.ofEntries(
          Map.entry("take", new Change("snapshot", RecoveryBesideCallsTest::take)),
          Map.entry("takeNow", new Change("snapshot", RecoveryBesideCallsTest::takeNow)),
          Map.entry("takeGroup", new Change("snapshot", RecoveryBesideCallsTest::takeGroup)),
          Map.entry("takeDue", new Change("snapshot", RecoveryBesideCallsTest::takeDue)),
          Map.entry("create", new Change("create", t -> List.of(t.plane.volume(t.container, GIB)))),
          Map.entry("clone", new Change("clone", RecoveryBesideCallsTest::cloned)),
          Map.entry("delete", new Change("delete", t -> t.run(() -> t.delete(t.second)))),
          Map.entry(
              "resize",
              new Change("resize", t -> t.run(() -> t.plane.volumes.resize(t.disk, 2 * GIB)))),
          Map.entry(
              "revert",
              new Change("revert", t -> t.run(() -> t.plane.reverts.revert(t.disk, t.snapshot)))),
          Map.entry(
              "copyDiffs",
              new Change(
                  "copyDiffs",
                  t -> t.run(() -> t.plane.clones.copyDiffs(t.disk, t.snapshot, t.second)))),
          Map.entry(
              "policy",
              new Change(
                  "reserve",
                  t -> t.run(() -> t.plane.policies.apply(t.disk, t.thick.asStorageProfile())))),
          Map.entry(
              "metadata",
              new Change(
                  "setAttributes",
                  t ->
                      t.run(
                          () ->
                              t.plane.volumes.updateMetadata(
                                  t.disk, Map.of("a", "b"), Set.of())))));

  static Stream<Arguments> changes() {
    return CHANGES.keySet().stream()
        .sorted()
        .flatMap(name -> Stream.of(Arguments.of(name, false), Arguments.of(name, true)));
  }

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    thick = profile(new Requirements(SpaceEfficiency.THICK, null, null));
    OfferedProfile hourly = profile(new Requirements(null, Duration.ofHours(1), null));
    disk =
        made(
            plane.volumes.create(
                new NewVolume(
                    container.id(),
                    VolumeType.DATA,
                    VolumeOrigin.HOST,
                    hourly.asStorageProfile(),
                    GIB,
                    Map.of())));
    snapshot = plane.snapshot(disk);
    second = cloned(this).getFirst();
    plane.reconciliation.whileRunning(); // takes the marks of what is made already
  }

  @AfterEach
  void close() {
    plane.target.close();
  }

  private OfferedProfile profile(Requirements required) {
    return plane.profiles.create(
        new ProfileDraft("p" + required.space(), "", required, Set.of()), "admin");
  }

  @ParameterizedTest(name = "{0}, after its effect: {1}")
  @MethodSource("changes")
  void runningChangeIsWaitedFor(String name, boolean afterEffect) throws Exception {
    List<RecoveryFinding> findings = new ArrayList<>();
    Thread recovery =
        Thread.ofPlatform().unstarted(() -> findings.addAll(plane.reconciliation.atStart()));
    AtomicBoolean begun = new AtomicBoolean();
    Runnable hook =
        () -> {
          if (!begun.getAndSet(true)) {
            recovery.start();
            awaitEndOrLock(recovery);
          }
        };
    Change change = CHANGES.get(name);
    if (afterEffect) {
      plane.hooks.after(change.call(), hook);
    } else {
      plane.hooks.before(change.call(), hook);
    }

    List<VolumeId> made = change.work().of(this);
    recovery.join();

    assertThat(begun).isTrue();
    assertThat(findings).isEmpty();
    assertThat(plane.engine.list()).extracting(info -> info.id()).containsAll(made);
    assertThat(plane.volumes.find(made)).extracting(VirtualVolume::id).isEqualTo(made);
    assertThat(PlaneState.differencesOfRows(plane)).isEmpty();
    assertThat(plane.reconciliation.atStart()).isEmpty();
  }

  private static void awaitEndOrLock(Thread thread) {
    while (thread.isAlive() && LockSupport.getBlocker(thread) == null) {
      Thread.onSpinWait();
    }
  }

  private List<VolumeId> run(Runnable work) {
    work.run();
    return List.of();
  }

  private void delete(VolumeId id) {
    plane.volumes.delete(id);
  }

  private List<VolumeId> take() {
    VolumeId wanted = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.snapshots.take(List.of(new Snapshots.Prepared(wanted, Map.of())), Duration.ofSeconds(10));
    return List.of(wanted);
  }

  private List<VolumeId> takeNow() {
    return plane.snapshots.takeNow(
        List.of(disk, second), VolumeOrigin.SCHEDULE, Map.of(), () -> {});
  }

  private List<VolumeId> takeGroup() {
    plane.snapshots.takeGroup(List.of(disk, second), Map.of());
    return plane.snapshots.of(second).stream().map(VirtualVolume::id).toList();
  }

  private List<VolumeId> takeDue() {
    plane.clock.advance(Duration.ofHours(1));
    assertThat(plane.schedules.takeDue()).isPositive();
    return plane.snapshots.of(second).stream().map(VirtualVolume::id).toList();
  }

  private static List<VolumeId> cloned(RecoveryBesideCallsTest test) {
    return List.of(
        made(
            test.plane.clones.clone(
                new NewClone(test.snapshot, null, VolumeOrigin.HOST, null, Map.of()))));
  }
}
