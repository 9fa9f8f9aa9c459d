package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Copies by pointer onto one volume what differs between two others.
///
/// Many COPY records, then one CHANGE record with the operation id and the result. A crash between
/// leaves a part of the copies and no id: the repeat copies everything again, which gives the same.
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
    OperationLookup lookup = new OperationLookup(pool, operation);
    OperationResult earlier = lookup.find();
    if (earlier != null) {
      return earlier;
    }
    VolumeState source = queries.require(sourceId);
    VolumeState base = queries.require(baseId);
    VolumeState destination = queries.require(destinationId);
    queries.requireRelated(source, base);
    long size = source.info().sizeInBytes();
    if (destination.isSnapshot()) {
      throw new StorageException.ReadOnly(
          "Expected a volume, got snapshot %s.".formatted(destinationId));
    }
    if (destination.info().sizeInBytes() < size) {
      throw new StorageException.InvalidRequest(
          "Expected a destination of at least %d bytes, got %d in volume %s."
              .formatted(size, destination.info().sizeInBytes(), destinationId));
    }
    long bytes = 0;
    for (Run run : differences(source, base)) {
      long offset = run.first * PoolLayout.BLOCK;
      long length = Math.min(size - offset, run.count * PoolLayout.BLOCK);
      if (source != destination) {
        copy(new Copying.Ranges(source, offset, destination, offset, length));
      }
      bytes += length;
    }
    ChangeCommand command = new ChangeCommand(pool, new Change.Copied(operation, bytes));
    pool.committer().submit(command);
    return command.await(null);
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
      boolean interrupted = false;
      while (true) {
        try {
          ended.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      StorageException reason = failure;
      if (reason != null) {
        throw Rethrown.here(reason);
      }
    }
  }
}
