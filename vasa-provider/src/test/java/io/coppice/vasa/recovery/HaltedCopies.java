package io.coppice.vasa.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.vasa.recovery.PlaneState.Disk;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Draws copies of differences: in their call, which happen as a whole or not at all, and behind
/// it, which leave the slices copied so far; some of these are withdrawn after their first slice.
final class HaltedCopies {

  private static final String NAME = "copyDiffsToVirtualVolume";
  private static final String PART = "COPY_DIFFS PART_COPIED";
  private static final int BLOCK = 4096;

  /// Differences in larger volumes take long to look for.
  private static final long LARGEST = 1L << 30;

  private final Random random;

  HaltedCopies(Random random) {
    this.random = random;
  }

  private record Pair(VolumeId source, VolumeId base) {}

  /// A copy of what differs in some places.
  private record Copy(VolumeId source, VolumeId base, VolumeId destination, List<Integer> places) {

    boolean isLarge() {
      return (long) places.size() * PlaneState.PLACE_BYTES > ControlPlane.COPY_IN_CALL;
    }

    /// What there is after some of its slices, one for each place.
    PlaneState after(PlaneState before, int slices) {
      Disk disk = before.volumes().get(destination);
      List<Integer> content = new ArrayList<>(disk.content());
      for (int place : places.subList(0, slices)) {
        content.set(place, before.volumes().get(source).content().get(place));
      }
      return before.with(destination, disk.withContent(List.copyOf(content)));
    }

    PlaneState whole(PlaneState before) {
      return after(before, places.size());
    }

    /// Runs it and waits for its end, or for that of the process.
    void run(ControlPlane plane) {
      VasaTask task = plane.clones.copyDiffs(source, base, destination);
      while (plane.tasks.progressOf(task.id()).isPresent()) {
        Thread.onSpinWait();
      }
      plane.steps.orEnd();
    }
  }

  /// @return empty if there is nothing to copy from or to
  Optional<HaltedChange> next(ControlPlane plane, PlaneState now) {
    List<Pair> pairs = pairs(now);
    Collections.shuffle(pairs, random);
    return pairs.stream().flatMap(pair -> copy(plane, now, pair).stream()).findFirst();
  }

  /// Snapshots and clones with what they were made of, either way round.
  private static List<Pair> pairs(PlaneState now) {
    List<Pair> pairs = new ArrayList<>();
    for (VolumeId id : now.volumes().keySet().stream().sorted().toList()) {
      VolumeId parent = now.volumes().get(id).parent();
      if (!parent.equals(id) && now.volumes().containsKey(parent)) {
        pairs.add(new Pair(id, parent));
        pairs.add(new Pair(parent, id));
      }
    }
    pairs.removeIf(pair -> now.volumes().get(pair.source()).size() > LARGEST);
    return pairs;
  }

  private Optional<HaltedChange> copy(ControlPlane plane, PlaneState now, Pair pair) {
    List<VolumeId> fit =
        now.volumes().keySet().stream()
            .filter(id -> !id.equals(pair.source()) && !id.equals(pair.base()))
            .filter(id -> !now.bindings().containsKey(id) && !now.volumes().get(id).snapshot())
            .filter(id -> now.volumes().get(id).size() >= now.volumes().get(pair.source()).size())
            .sorted()
            .toList();
    if (fit.isEmpty()) {
      return Optional.empty();
    }
    VolumeId destination = fit.get(random.nextInt(fit.size()));
    var copy = new Copy(pair.source(), pair.base(), destination, places(plane, now, pair));
    return Optional.of(
        !copy.isLarge()
            ? inCall(plane, now, copy)
            : behind(plane, now, copy, random.nextInt(4) == 0));
  }

  /// In which places they differ.
  private static List<Integer> places(ControlPlane plane, PlaneState now, Pair pair) {
    var all = new ByteRange(0, now.volumes().get(pair.source()).size());
    BitSet blocks = plane.engine.unshared(pair.source(), pair.base(), all, BLOCK).set();
    return IntStream.range(0, PlaneState.PLACES)
        .filter(place -> blocks.get((int) (PlaneState.offset(place) / BLOCK)))
        .boxed()
        .toList();
  }

  private static HaltedChange inCall(ControlPlane plane, PlaneState now, Copy copy) {
    Set<String> known = tasks(plane);
    return new HaltedChange(
        "copyDiffs",
        () -> copy.run(plane),
        copy::whole,
        0,
        List.of(),
        (later, steps, cut) -> {
          assertThat(steps).as("steps of %s", copy).doesNotContain(PART);
          PlaneState there = PlaneState.of(later).withoutBinned();
          Class<?> end = end(steps, cut, TaskState.Success.class);
          assertThat(there.same(end == TaskState.Success.class ? copy.whole(now) : now))
              .as("%s after %s: %s", copy, steps, there)
              .isTrue();
          checkTask(later, known, end);
          checkRepeat(later, now, copy);
        });
  }

  private static HaltedChange behind(
      ControlPlane plane, PlaneState now, Copy copy, boolean withdrawn) {
    Set<String> known = tasks(plane);
    List<UnaryOperator<PlaneState>> parts = new ArrayList<>();
    for (int slices = 1; slices < copy.places().size(); slices++) {
      int count = slices;
      parts.add(before -> copy.after(before, count));
    }
    return new HaltedChange(
        withdrawn ? "copyDiffs, withdrawn" : "copyDiffs behind the call",
        () -> {
          if (withdrawn) {
            plane.steps.when(
                PART, () -> plane.tasks.cancel(plane.tasks.unfinished().getFirst().id()));
          }
          copy.run(plane);
        },
        before -> withdrawn ? copy.after(before, 1) : copy.whole(before),
        0,
        parts,
        (later, steps, cut) -> {
          int slices = Collections.frequency(steps, PART);
          assertThat(PlaneState.of(later).withoutBinned().same(copy.after(now, slices)))
              .as("%s after %s: %s", copy, steps, PlaneState.of(later).withoutBinned())
              .isTrue();
          checkTask(
              later,
              known,
              end(steps, cut, withdrawn ? TaskState.Cancelled.class : TaskState.Success.class));
          checkRepeat(later, now, copy);
        });
  }

  /// How the task must end.
  ///
  /// @param last its end if nothing cuts it short
  private static Class<?> end(List<String> steps, boolean cut, Class<?> last) {
    if (!cut) {
      return last;
    }
    return switch (steps.getLast()) {
      case "COPY_DIFFS BEGINNING" -> Void.class;
      case "COPY_DIFFS INTENDED", PART -> TaskState.Failed.class;
      default -> last;
    };
  }

  /// @param end class of its state; [Void] if there must be none
  private static void checkTask(ControlPlane plane, Set<String> known, Class<?> end) {
    List<TaskState> states =
        tasks(plane).stream()
            .filter(id -> !known.contains(id))
            .map(id -> plane.tasks.require(id).state())
            .toList();
    if (end == Void.class) {
      assertThat(states).isEmpty();
    } else {
      assertThat(states).singleElement().isInstanceOf(end);
    }
  }

  private static Set<String> tasks(ControlPlane plane) {
    return plane
        .jdbc
        .sql("select id from task where name = ?")
        .param(NAME)
        .query(String.class)
        .set();
  }

  /// Whatever was left, the repeat does all of it.
  private static void checkRepeat(ControlPlane plane, PlaneState before, Copy copy) {
    copy.run(plane);
    assertThat(PlaneState.of(plane).withoutBinned().same(copy.whole(before)))
        .as("%s repeated: %s", copy, PlaneState.of(plane).withoutBinned())
        .isTrue();
  }
}
