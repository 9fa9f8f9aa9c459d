package io.coppice.engine.change;

import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.CopyIo;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.CrossThreadFailures;
import io.coppice.engine.state.Quiesce;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.thread.Uninterrupted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// A copy by pointer onto one volume of the differences between two others.
///
/// The copies go onto a *stage*, a hidden child of the destination's version that one record
/// begins. One record at the end, with the operation id and the result, makes the destination go on
/// in it. So readers and every crash see all of it or nothing: the records of the copies change
/// nothing visible. A stage that is found at an open is given up before the destination can be
/// written. Writes to the destination wait until the end, because a version with children must not
/// be changed; reads do not.
public final class DifferenceCopy {

  /// Most copies of one run each that are under way together.
  private static final int MOST_AT_ONCE = 16;

  private final OpenPool pool;
  private final MapQueries queries;
  private final StagedCopy staging;

  public DifferenceCopy(OpenPool pool, MapQueries queries) {
    this.pool = pool;
    this.queries = queries;
    staging = new StagedCopy(pool);
  }

  private record Run(long first, long count) {}

  public OperationResult run(
      OperationId operation, VolumeId sourceId, VolumeId baseId, VolumeId destinationId) {
    try (Quiesce _ = new Quiesce(pool.state().find(destinationId), true)) {
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
        return staging.change(new Change.Copied(operation, bytes(runs, source)));
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
    return staging.run(
        new Change.Stage(OperationId.random(), id, stageId),
        stageId,
        stage -> {
          copy(runs, source, stage);
          return staging.change(new Change.Adopt(operation, id, stageId, bytes(runs, source)));
        });
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
    DifferenceWalk.Found found =
        new DifferenceWalk.Found() {
          @Override
          public void run(long first, long count) {
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.first + last.count == first) {
              runs.set(runs.size() - 1, new Run(last.first, last.count + count));
            } else {
              runs.add(new Run(first, count));
            }
          }

          @Override
          public void startOver() {
            runs.clear();
          }
        };
    new DifferenceWalk(pool.state()).run(source, base, new MapReader.Span(0, end), found);
    return runs;
  }

  /// Several at a time, so that a batch of the log takes several: else each would cost a commit.
  private void copy(List<Run> runs, VolumeState source, VolumeState stage) {
    Copies first = new Copies(source, stage, MOST_AT_ONCE);
    first.all(runs);
    // Each asks for the nodes that it may need at worst. One refused beside others may succeed
    // alone.
    Copies alone = new Copies(source, stage, 1);
    alone.all(first.refused);
    if (!alone.refused.isEmpty()) {
      throw CrossThreadFailures.here(alone.reason());
    }
  }

  /// The copies of runs, some of them under way together.
  private final class Copies {
    private final VolumeState source;
    private final VolumeState stage;
    private final int most;
    private final Semaphore room;
    private final List<Run> refused = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable StorageException reason;
    private volatile boolean failed;

    Copies(VolumeState source, VolumeState stage, int most) {
      this.source = source;
      this.stage = stage;
      this.most = most;
      room = new Semaphore(most);
    }

    /// Ends when all have; those that found no space are in [#refused].
    void all(List<Run> runs) {
      for (int i = 0; i < runs.size() && !failed; i++) {
        Uninterrupted.await(room::acquire);
        Run run = runs.get(i);
        long offset = run.first * PoolLayout.BLOCK;
        CopyIo.start(
            pool,
            new CopyIo.Ranges(source, offset, stage, offset, length(run, source)),
            new End(run));
      }
      Uninterrupted.await(() -> room.acquire(most));
      if (failed) {
        throw CrossThreadFailures.here(reason());
      }
    }

    StorageException reason() {
      return Objects.requireNonNull(reason, "the reason why a copy failed");
    }

    private final class End implements Completion {
      private final Run run;

      End(Run run) {
        this.run = run;
      }

      @Override
      public void succeeded() {
        room.release();
      }

      @Override
      public void failed(StorageException why) {
        reason = why;
        if (why instanceof StorageException.OutOfSpace) {
          refused.add(run);
        } else {
          failed = true;
        }
        room.release();
      }
    }
  }
}
