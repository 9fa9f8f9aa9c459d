package io.coppice.vasa.export.temporary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Temporary exports: their time, and the end of the process at each step.
class TemporaryExportsTest {

  private static final ExportAudience HOST =
      new ExportAudience(List.of("iqn.2026-11.test:host"), List.of(), List.of());
  private static final int MIB = 1 << 20;

  private ControlPlane plane = new ControlPlane();
  private final StorageContainer container = plane.container("looked-into");
  private final VolumeId disk = plane.volume(container, ControlPlane.GIB);
  private final VolumeId first = snapshot(1);
  private final VolumeId second = snapshot(2);

  @AfterEach
  void close() {
    plane.target.close();
  }

  private VolumeId snapshot(int value) {
    plane.write(disk, 0, MIB, value);
    return plane.snapshot(disk);
  }

  private TemporaryExports.Wanted wanted(boolean writable) {
    return new TemporaryExports.Wanted(null, "look", List.of(first, second), writable, null, HOST);
  }

  /// Ids of what is in the pool and in the rows, and of what is exported.
  private String state() {
    Set<String> pool =
        plane.engine.list().stream()
            .map(VolumeInfo::id)
            .map(VolumeId::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> rows =
        plane.volumes.ids().stream()
            .map(VolumeId::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    return "pool %s, rows %s, exports %s, records %s"
        .formatted(
            pool,
            rows,
            plane.exports.list().stream().map(one -> one.volume() + " " + one.readOnly()).toList(),
            plane.engine.records().withPrefix("control/temporary-export/").keySet());
  }

  @Test
  void snapshotsAreServedReadOnlyAndClonesWritable() {
    TemporaryExport read = plane.temporary.make(wanted(false));
    TemporaryExport write = plane.temporary.make(wanted(true));

    assertThat(read.served()).containsExactly(first, second);
    assertThat(plane.exports.require(first).readOnly()).isTrue();
    assertThat(write.served()).doesNotContain(first, second).doesNotHaveDuplicates();
    for (int i = 0; i < 2; i++) {
      VolumeId served = write.served().get(i);
      assertThat(plane.exports.require(served).readOnly()).isFalse();
      assertThat(plane.read(served, 0)).isEqualTo(i + 1);
      plane.write(served, 0, MIB, 9);
    }
    assertThat(plane.read(first, 0)).as("the snapshot").isEqualTo(1);
    assertThat(plane.exports.list()).hasSize(4);
    assertThat(plane.temporary.list())
        .extracting(TemporaryExport::id)
        .contains(read.id(), write.id());
    assertThatThrownBy(() -> plane.volumes.delete(first))
        .isInstanceOfSatisfying(
            VasaException.class, e -> assertThat(e.fault()).isEqualTo(new Fault.ResourceInUse()));
  }

  @Test
  void itsTimeIsTheTimeThatHasPassed() {
    String before = state();
    plane.temporary.make(wanted(true));
    TemporaryExport read = plane.temporary.make(wanted(false));
    plane.clock.advance(Duration.ofHours(7));
    plane.temporary.keep(read.id(), Duration.ofHours(9));

    plane.temporary.round();
    assertThat(plane.temporary.list()).hasSize(2);
    plane.clock.advance(Duration.ofMinutes(61));
    plane.temporary.round();
    assertThat(plane.temporary.list()).containsExactly(plane.temporary.require(read.id()));
    assertThat(plane.exports.list()).extracting(one -> one.volume()).contains(first, second);
    plane.temporary.keep(read.id(), Duration.ofMinutes(1));
    plane = plane.restarted();
    plane.clock.advance(Duration.ofMinutes(2));
    plane.temporary.round();

    assertThat(state()).isEqualTo(before);
    assertThatThrownBy(() -> plane.temporary.keep(read.id(), Duration.ofHours(1)))
        .hasMessageContaining("no temporary export " + read.id());
  }

  @Test
  void whatIsWrongLeavesNothing() {
    String before = state();
    for (Duration keep : List.of(Duration.ofSeconds(59), Duration.ofDays(7).plusSeconds(1))) {
      assertThatThrownBy(
              () ->
                  plane.temporary.make(
                      new TemporaryExports.Wanted(null, "look", List.of(first), true, keep, HOST)))
          .hasMessageContaining("expected a time from PT1M to PT168H, got " + keep);
    }
    ExportAudience unknown = new ExportAudience(List.of(), List.of(UUID.randomUUID()), List.of());
    assertThatThrownBy(
            () ->
                plane.temporary.make(
                    new TemporaryExports.Wanted(
                        null, "look", List.of(first, second), true, null, unknown)))
        .isInstanceOf(VasaException.class);
    assertThatThrownBy(
            () ->
                plane.temporary.make(
                    new TemporaryExports.Wanted(null, "look", List.of(disk), false, null, HOST)))
        .hasMessageContaining("expected a snapshot");
    assertThat(state())
        .as("the first clone was made before the host was looked for")
        .isEqualTo(before);

    plane.exports.export(second, Optional.empty(), Optional.empty(), HOST, false);
    String others = state();
    assertThatThrownBy(() -> plane.temporary.make(wanted(false)))
        .hasMessageContaining("is not exported yet, but " + second);
    assertThat(state()).as("the export of somebody else stays").isEqualTo(others);

    TemporaryExports one =
        new TemporaryExports(
            plane.exports,
            plane.volumes,
            plane.clones,
            plane.store,
            plane.ownWork,
            new TemporarySettings(Duration.ofHours(1), Duration.ofHours(2), 1),
            StepObserver.NONE);
    one.make(wanted(true));
    assertThatThrownBy(() -> one.make(wanted(true)))
        .hasMessageContaining("expected fewer than 1 temporary exports");
  }

  @Test
  void anExportThatSomebodyEndedByHandIsNotOursAnyMore() {
    TemporaryExport made = plane.temporary.make(wanted(false));
    plane.exports.unexport(first);
    plane.temporary.round();
    plane.exports.export(first, Optional.empty(), Optional.empty(), HOST, false);

    assertThat(plane.temporary.require(made.id()).snapshots()).containsExactly(second);
    plane.clock.advance(Duration.ofHours(9));
    plane.temporary.round();

    assertThat(plane.temporary.list()).isEmpty();
    assertThat(plane.exports.isExported(second)).isFalse();
    assertThat(plane.exports.isExported(first)).as("made anew by hand").isTrue();
  }

  @Test
  void theLossOfTheDatabaseDoesNotMakeThemPermanent() {
    plane.temporary.make(wanted(true));
    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();
    plane.temporary.round();
    assertThat(plane.temporary.list()).hasSize(1);

    plane.clock.advance(Duration.ofHours(9));
    plane.temporary.round();

    assertThat(plane.exports.list()).isEmpty();
    assertThat(plane.engine.list())
        .extracting(VolumeInfo::id)
        .containsExactlyInAnyOrder(disk, first, second);
  }

  @Test
  void theEndOfTheProcessLeavesAllOrNothing() {
    String before = state();
    for (boolean writable : new boolean[] {false, true}) {
      int step = 1;
      while (cutShort(step, () -> plane.temporary.make(wanted(writable)))) {
        restart();
        if (plane.temporary.list().isEmpty()) {
          assertThat(state()).as("made until step %d", step).isEqualTo(before);
        } else {
          assertThat(plane.exports.list()).as("made until step %d", step).hasSize(2);
          plane.temporary.end(plane.temporary.list().getFirst().id());
        }
        step++;
      }
      assertThat(step).as("steps").isGreaterThan(writable ? 12 : 4);
      plane.temporary.end(plane.temporary.list().getFirst().id());
      assertThat(state()).isEqualTo(before);
    }
  }

  @Test
  void theEndOfTheProcessLeavesNothingOfOneThatEnds() {
    String before = state();
    for (boolean writable : new boolean[] {false, true}) {
      TemporaryExport one = plane.temporary.make(wanted(writable));
      int step = 1;
      while (isEndCutShort(step, one(writable))) {
        restart();
        if (step > 1) {
          assertThat(state()).as("ended until step %d", step).isEqualTo(before);
        } else {
          assertThat(plane.temporary.list()).as("not begun to end").containsExactly(one);
        }
        step++;
      }
      assertThat(step).as("steps").isGreaterThan(writable ? 8 : 4);
      assertThat(state()).isEqualTo(before);
    }
  }

  private boolean isEndCutShort(int step, TemporaryExport one) {
    return cutShort(step, () -> plane.temporary.end(one.id()));
  }

  /// The one that is there, or a new one.
  private TemporaryExport one(boolean writable) {
    List<TemporaryExport> all = plane.temporary.list();
    if (!all.isEmpty()) {
      return all.getFirst();
    }
    return plane.temporary.make(wanted(writable));
  }

  private boolean cutShort(int step, Runnable work) {
    plane.steps.at(step);
    try {
      work.run();
      return false;
    } catch (ProcessEnded e) {
      return true;
    } finally {
      plane.steps.at(0);
    }
  }

  private void restart() {
    plane.target.close();
    plane = plane.restarted();
    plane.reconciliation.atStart();
    plane.temporary.round();
  }
}
