package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.thread.Uninterrupted;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Copies by pointer onto one volume what differs between two others.
///
/// The copies go onto a *stage*, a hidden child of the destination's version that one record
/// begins; one record at the end, with the operation id and the result, has the destination go on
/// in it. So readers and every crash see all of it or nothing: the records of the copies change
/// nothing that anybody sees, and a stage that is found at an open is given up before the
/// destination can be written. Writes to the destination wait until the end, for a version that has
/// children must not be changed; reads do not.
final class DifferenceCopy {

  private final OpenPool pool;
  private final Queries queries;

  DifferenceCopy(OpenPool pool, Queries queries) {
    this.pool = pool;
    this.queries = queries;
  }

  private record Run(long first, long count) {}

  OperationResult run(
      OperationId operation, VolumeId sourceId, VolumeId baseId, VolumeId destinationId) {
    try (Drain _ = new Drain(pool.state().find(destinationId), true)) {
      OperationResult earlier = new OperationLookup(pool, operation).find();
      if (earlier != null) {
        return earlier;
      }
      VolumeState source = queries.require(sourceId);
      VolumeState base = queries.require(baseId);
      VolumeState destination = queries.require(destinationId);
      queries.requireRelated(source, base);
      requireFit(source, destination);
      List<Run> runs = differences(source, base);
      if (source == destination || runs.isEmpty()) {
        return change(new Change.Copied(operation, bytes(runs, source)));
      }
      return staged(operation, source, destination, runs);
    }
  }

  private static void requireFit(VolumeState source, VolumeState destination) {
    VolumeId id = destination.info().id();
    long size = source.info().sizeInBytes();
    if (destination.isSnapshot()) {
      throw new StorageException.ReadOnly("Expected a volume, got snapshot %s.".formatted(id));
    }
    if (destination.info().sizeInBytes() < size) {
      throw new StorageException.InvalidRequest(
          "Expected a destination of at least %d bytes, got %d in volume %s."
              .formatted(size, destination.info().sizeInBytes(), id));
    }
  }

  private OperationResult staged(
      OperationId operation, VolumeState source, VolumeState destination, List<Run> runs) {
    VolumeId id = destination.info().id();
    VolumeId stageId = VolumeId.random();
    change(new Change.Stage(OperationId.random(), id, stageId));
    try {
      VolumeState stage = Objects.requireNonNull(pool.state().findStage(stageId), "the stage");
      for (Run run : runs) {
        long offset = run.first * PoolLayout.BLOCK;
        copy(new Copying.Ranges(source, offset, stage, offset, length(run, source)));
      }
      return change(new Change.Adopt(operation, id, stageId, bytes(runs, source)));
    } catch (RuntimeException e) {
      giveUp(stageId, e);
      throw e;
    }
  }

  // If the pool has failed, the next open gives it up.
  private void giveUp(VolumeId stage, RuntimeException reason) {
    try {
      change(new Change.Unstage(OperationId.random(), stage));
    } catch (StorageException e) {
      reason.addSuppressed(e);
    }
  }

  private OperationResult change(Change change) {
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().submit(command);
    return command.await(null);
  }

  private static long length(Run run, VolumeState source) {
    long offset = run.first * PoolLayout.BLOCK;
    return Math.min(source.info().sizeInBytes() - offset, run.count * PoolLayout.BLOCK);
  }

  private static long bytes(List<Run> runs, VolumeState source) {
    return runs.stream().mapToLong(run -> length(run, source)).sum();
  }

  private List<Run> differences(VolumeState source, VolumeState base) {
    List<Run> runs = new ArrayList<>();
    long end = (source.info().sizeInBytes() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK;
    int ticket = pool.state().epochs().enter();
    try {
      MapReader.differences(
          pool.state().nodes(),
          source.head().root(),
          base.head().root(),
          new MapReader.Span(0, end),
          (first, count) -> {
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.first + last.count == first) {
              runs.set(runs.size() - 1, new Run(last.first, last.count + count));
            } else {
              runs.add(new Run(first, count));
            }
            return true;
          });
    } finally {
      pool.state().epochs().leave(ticket);
    }
    return runs;
  }

  private void copy(Copying.Ranges ranges) {
    Waiting waiting = new Waiting();
    Copying.start(pool, ranges, waiting);
    waiting.await();
  }

  private static final class Waiting implements Completion {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable StorageException failure;

    @Override
    public void succeeded() {
      ended.countDown();
    }

    @Override
    public void failed(StorageException reason) {
      failure = reason;
      ended.countDown();
    }

    void await() {
      Uninterrupted.await(ended::await);
      StorageException reason = failure;
      if (reason != null) {
        throw Rethrown.here(reason);
      }
    }
  }
}
