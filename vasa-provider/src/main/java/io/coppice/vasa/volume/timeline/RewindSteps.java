package io.coppice.vasa.volume.timeline;

import io.coppice.engine.Journals;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.RewindPart;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The steps of a revert to a moment, in the pool.
///
/// The revert of one volume is one record: it happened or not. It makes two points: what the volume
/// held, and a millisecond later what it holds then. So no safety copy is needed, and the first of
/// the two takes the revert back.
///
/// The pool has no record for several volumes, so they go one after the other, each by a call with
/// an id of its own, which the pool remembers. For one moment that takes all of them back, each is
/// *marked* first: it is brought to its newest point and back again, which makes a point of what it
/// holds. Then a cut takes the clocks of all journals behind these points. What follows in any of
/// them is later, so just before the first of the reverts all of them held what they hold now.
///
/// Order, and what a crash leaves: the operation's row and its parts come first. A crash before the
/// first call leaves volumes as they were, and the start says so. A crash after the last one leaves
/// all of them where they should be. A crash between two calls leaves volumes of different moments,
/// or one at its newest point. Then the start repeats the steps: calls that the pool remembers do
/// nothing, and the others do what is left. That is late, so it happens only if nobody can have
/// written to one of the volumes meanwhile: no call has been answered yet, and none of them was
/// bound when the revert began, or is bound or exported now. Otherwise the start tells which
/// volumes are where. What each held before is in its timeline in any case.
public final class RewindSteps {

  private static final String LEAVE = "leave:";
  private static final String RETURN = "return:";
  private static final String BACK = "back:";
  private static final String UNDO = "undo:";

  /// Later than all points.
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final VolumeStore store;

  public RewindSteps(VolumeStore store) {
    this.store = store;
  }

  private Journals journals() {
    return store.engine().journals();
  }

  /// The effect of a revert.
  ///
  /// @param undo the moment that takes it back
  record Done(List<VolumeInfo> volumes, Instant undo) {

    Done {
      volumes = List.copyOf(volumes);
    }
  }

  /// Brings the volumes back. The caller holds their locks and keeps initiators off them.
  ///
  /// @throws StorageException if the pool refuses: what was reverted is taken back then
  Done run(VolumeOperation operation, List<RewindPart> parts) {
    try {
      return carryOut(operation, parts);
    } catch (StorageException.DeviceFailed e) {
      throw e; // what happened is known after the next open
    } catch (StorageException e) {
      throw takenBack(operation, parts, e);
    }
  }

  private Done carryOut(VolumeOperation operation, List<RewindPart> parts) {
    if (parts.size() > 1) {
      parts.forEach(part -> mark(operation, part.volume()));
      journals().cut(parts.stream().map(RewindPart::volume).toList());
    }
    List<VolumeInfo> back = new ArrayList<>();
    for (RewindPart part : parts) {
      back.add(revert(operation, BACK, part.volume(), part.point()));
    }
    Instant undo =
        parts.stream()
            .map(part -> pointBeforeLast(part.volume()))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return new Done(back, parts.size() > 1 ? undo.minusMillis(1) : undo);
  }

  private void mark(VolumeOperation operation, VolumeId volume) {
    revert(operation, LEAVE, volume, journals().pointsBefore(volume, LAST, 1).getFirst());
    revert(operation, RETURN, volume, pointBeforeLast(volume));
  }

  /// Of a volume that was just reverted, what it held before: the newest point is what it holds
  /// now.
  private Instant pointBeforeLast(VolumeId volume) {
    return journals().pointsBefore(volume, LAST, 2).getLast();
  }

  private VolumeInfo revert(
      VolumeOperation operation, String step, VolumeId volume, Instant point) {
    VolumeInfo info =
        store
            .log()
            .havingRoom(() -> journals().revert(operation.derived(step + volume), volume, point));
    store.log().reached(operation, Step.PART_REVERTED);
    return info;
  }

  private boolean remembers(VolumeOperation operation, String step, RewindPart part) {
    return store.engine().remembers(operation.derived(step + part.volume()));
  }

  /// Takes back what has happened of a revert that was refused.
  private StorageException takenBack(
      VolumeOperation operation, List<RewindPart> parts, StorageException why) {
    List<VolumeId> left = new ArrayList<>();
    for (RewindPart part : parts) {
      try {
        takeBack(operation, part);
      } catch (StorageException e) {
        why.addSuppressed(e);
        left.add(part.volume());
      }
    }
    return left.isEmpty()
        ? Timelines.saidOf(why)
        : new StorageException.OutOfSpace(
            "%s; the content of %s before it could not be restored, and is in the timeline"
                .formatted(why.getMessage(), text(left)));
  }

  private void takeBack(VolumeOperation operation, RewindPart part) {
    VolumeId volume = part.volume();
    if (remembers(operation, BACK, part)) {
      revert(operation, UNDO, volume, pointBeforeLast(volume));
    } else if (isAway(operation, part)) {
      revert(operation, RETURN, volume, pointBeforeLast(volume));
    }
  }

  /// Whether a volume that is being marked holds what it held at its newest point.
  private boolean isAway(VolumeOperation operation, RewindPart part) {
    return remembers(operation, LEAVE, part) && !remembers(operation, RETURN, part);
  }

  /// What became of a revert that was cut short.
  ///
  /// @param ending of a sentence that says so
  /// @param result null if it has not happened
  public record Settled(String ending, @Nullable TaskResult result) {}

  /// Finishes a revert that was cut short, or finds that it has ended. The caller holds the locks
  /// of its volumes.
  public Settled settle(VolumeOperation operation) {
    List<RewindPart> parts = store.rewinds().of(operation.id());
    List<RewindPart> back =
        parts.stream().filter(part -> remembers(operation, BACK, part)).toList();
    if (back.isEmpty() && parts.stream().noneMatch(part -> remembers(operation, LEAVE, part))) {
      return new Settled("has no effect", null);
    }
    Instant point = parts.stream().map(RewindPart::point).max(Instant::compareTo).orElseThrow();
    // The pool forgets the oldest calls first. Without the first one, the operation ended long ago,
    // and its row comes from an older copy of the database.
    if (back.size() == parts.size() || !remembers(operation, LEAVE, parts.getFirst())) {
      return new Settled("is finished", new TaskResult.Reverted(point, null));
    }
    try {
      parts.forEach(part -> store.checkUnused(part.volume()));
      try (var _ = store.suspendAll(parts.stream().map(RewindPart::volume).toList())) {
        Instant undo = carryOut(operation, parts).undo();
        return new Settled("is finished", new TaskResult.Reverted(point, undo));
      }
    } catch (StorageException.DeviceFailed e) {
      throw e;
    } catch (StorageException | VasaException e) {
      return new Settled(told(operation, parts, point, String.valueOf(e.getMessage())), null);
    }
  }

  private String told(
      VolumeOperation operation, List<RewindPart> parts, Instant point, String reason) {
    Predicate<RewindPart> isBack = part -> remembers(operation, BACK, part);
    return "has a part: %s hold what they held at %s, and %s do not, because %s; %s"
        .formatted(
            text(volumes(parts, isBack)),
            point,
            text(volumes(parts, isBack.negate())),
            reason,
            "revert all of them to one moment, what each held before is in its timeline");
  }

  private static List<VolumeId> volumes(List<RewindPart> parts, Predicate<RewindPart> which) {
    return parts.stream().filter(which).map(RewindPart::volume).toList();
  }

  private static String text(List<VolumeId> volumes) {
    return volumes.isEmpty()
        ? "no volumes"
        : volumes.stream().map(VolumeId::toString).collect(Collectors.joining(", "));
  }
}
