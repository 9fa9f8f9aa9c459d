package io.coppice.vasa.volume.copy;

import io.coppice.engine.AwaitedIo;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskProgress;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.time.IntervalThread;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// Copies of differences that take longer than a call should. They run in slices, each on a thread
/// of its own, with progress, and can be cancelled between two slices.
///
/// Order, and what a crash leaves: the operation and its running task come in one transaction, as
/// for every operation. The slices follow. Then an empty change of the destination carries the
/// operation's id, so that the pool remembers that the whole copy happened. Then a transaction ends
/// the task. A crash before the empty change leaves a part copied and an operation that the pool
/// does not remember. The task ends in an error at the next start, and a repeat copies everything,
/// with the same result. A stop of the provider leaves what a crash leaves. If the pool refuses a
/// slice or the empty change, the task ends in that error. Anything else that cuts the copy short
/// while the process lives leaves its operation unsettled, and the next round ends the task as
/// after a crash.
///
/// Each slice, and the end, passes the gate of the control plane. So the copy stands still while
/// the database is away, and recovery never meets it between two steps.
///
/// While a copy runs, its destination cannot be bound, exported, cloned, snapshotted in any way, or
/// the source of another copy. None of its three volumes can be deleted or reverted. The
/// destination can be resized, and be given another policy, metadata and limits: none of these
/// looks at its content.
@Service
public final class BackgroundCopies implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BackgroundCopies.class);

  private static final long BLOCK = 4096;

  /// Bytes in which differences are looked for at once: 2^18 blocks.
  private static final long SEGMENT = 1L << 30;

  /// Most bytes that are copied at once.
  private static final long SLICE = 64L << 20;

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Tasks tasks;
  private final WorkGate gate;
  private final Map<OperationId, Thread> running = new ConcurrentHashMap<>();
  private volatile boolean closed;

  public BackgroundCopies(VolumeStore store, Tasks tasks, WorkGate gate) {
    this.gate = gate;
    this.store = store;
    this.engine = store.engine();
    this.tasks = tasks;
  }

  /// Bytes of `source` that differ from `base`.
  ///
  /// @throws io.coppice.engine.StorageException if one does not exist or they are not related
  long differing(VolumeId source, VolumeId base) {
    long[] bytes = {0};
    eachSegment(
        engine.open(source),
        segment -> {
          ChunkBitmap differing = engine.unshared(source, base, segment, BLOCK);
          bytes[0] += differing.set().cardinality() * BLOCK;
        });
    return bytes[0];
  }

  /// Begins a copy; the caller holds the locks of its volumes.
  ///
  /// @param operation of kind COPY_DIFFS
  /// @param bytes result of [#differing]
  /// @return the task, running
  VasaTask begin(VolumeOperation operation, long bytes) {
    VasaTask task = store.log().beginTask(operation, "copyDiffsToVirtualVolume");
    var progress = new TaskProgress(Math.max(1, bytes), task.started());
    VolumeOperation reported = operation.reportedAs(task.id());
    store.copies().put(operation.id(), reported);
    tasks.track(task.id(), progress);
    Actor actor = Actor.current(); // the copy is still its work
    Thread thread =
        Thread.ofVirtual()
            .name("copy-of-differences")
            .unstarted(() -> actor.run(() -> run(reported, progress)));
    running.put(operation.id(), thread);
    thread.start();
    return task;
  }

  private void run(VolumeOperation operation, TaskProgress progress) {
    try {
      carryOut(operation, progress);
    } catch (RuntimeException | Error e) {
      store.log().leave(operation);
      log.atWarn()
          .addKeyValue("destination", operation.volume())
          .setCause(e)
          .log("a copy of differences was cut short");
    } finally {
      store.copies().remove(operation.id());
      tasks.untrack(String.valueOf(operation.task()));
      running.remove(operation.id());
    }
  }

  private void carryOut(VolumeOperation operation, TaskProgress progress) {
    Optional<VasaException> failure = Optional.empty();
    boolean done = false;
    try {
      done = copy(operation, progress);
    } catch (VasaException e) {
      failure = Optional.of(e);
    }
    try (var pass = gate.enterWhenOpen().orElse(null)) {
      if (pass == null) { // the provider stops
        store.log().leave(operation);
      } else if (failure.isPresent()) {
        store.log().fail(operation, failure.get());
      } else {
        conclude(operation, done, progress);
      }
    }
  }

  /// @param done whether all of it is copied
  private void conclude(VolumeOperation operation, boolean done, TaskProgress progress) {
    try {
      if (done) {
        FaultTranslation.translated(
            () -> engine.setAttributes(operation.id(), operation.volume(), Map.of(), Set.of()));
        store.log().succeed(operation, new TaskResult.None(), () -> note(operation, "Copied"));
      } else if (!closed) {
        Actor actor = progress.withdrawer().orElseGet(Actor::current);
        store.log().cancel(operation, () -> actor.run(() -> note(operation, "CopyCancelled")));
      }
    } catch (VasaException e) {
      store.log().fail(operation, e);
    }
  }

  /// Writes to the history what became of a copy.
  ///
  /// @param message as in [VolumeChanges#of]
  void note(VolumeOperation operation, String message) {
    Map<String, String> parameters =
        Map.of(
            "source", VolumeChanges.name(store, operation.other()),
            "base", VolumeChanges.name(store, operation.third()));
    store
        .rows()
        .find(operation.volume())
        .ifPresent(
            volume ->
                store
                    .changes()
                    .append(VolumeChanges.of(volume, ChangeKind.UPDATE, message, parameters)));
  }

  /// @return false if it was withdrawn
  private boolean copy(VolumeOperation operation, TaskProgress progress) {
    VolumeId source = Objects.requireNonNull(operation.other(), "source");
    VolumeId base = Objects.requireNonNull(operation.third(), "base");
    return FaultTranslation.translated(
        () -> {
          Volume from = engine.open(source);
          Volume to = engine.open(operation.volume());
          eachSegment(
              from,
              segment -> {
                if (goesOn(progress)) {
                  for (ByteRange run :
                      runs(segment, engine.unshared(source, base, segment, BLOCK))) {
                    slice(operation, progress, () -> copy(from, to, run), run.length());
                  }
                }
              });
          return goesOn(progress);
        });
  }

  private void slice(VolumeOperation operation, TaskProgress progress, Runnable copy, long bytes) {
    try (var pass = gate.enterWhenOpen().orElse(null)) {
      closed = closed || pass == null;
      if (goesOn(progress)) {
        copy.run();
        progress.add(bytes);
        store.log().reached(operation, Step.PART_COPIED);
      }
    }
  }

  private boolean goesOn(TaskProgress progress) {
    return !closed && !progress.isWithdrawn();
  }

  private static void copy(Volume from, Volume to, ByteRange run) {
    AwaitedIo end = new AwaitedIo();
    to.copyFrom(from, run.offset(), run.offset(), run.length(), end);
    StorageException failure = end.await();
    if (failure != null) {
      throw failure;
    }
  }

  private static void eachSegment(Volume volume, Consumer<ByteRange> work) {
    long size = volume.sizeInBytes();
    for (long at = 0; at < size; at += SEGMENT) {
      work.accept(new ByteRange(at, Math.min(SEGMENT, size - at)));
    }
  }

  /// Runs of differing blocks, in pieces of at most [#SLICE], cut at the segment's end.
  private static List<ByteRange> runs(ByteRange segment, ChunkBitmap differing) {
    List<ByteRange> runs = new ArrayList<>();
    BitSet blocks = differing.set();
    int first = blocks.nextSetBit(0);
    while (first >= 0) {
      int end = blocks.nextClearBit(first);
      long stop = Math.min(end * BLOCK, segment.length());
      for (long at = first * BLOCK; at < stop; at += SLICE) {
        runs.add(new ByteRange(segment.offset() + at, Math.min(SLICE, stop - at)));
      }
      first = blocks.nextSetBit(end);
    }
    return runs;
  }

  /// Cuts running copies short and waits for them; the next start settles them.
  @Override
  public void close() {
    closed = true;
    for (Thread thread : running.values()) {
      IntervalThread.awaitEnd(thread, Duration.ofSeconds(30));
    }
  }
}
