package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A changing I/O of one volume: holds the blocks of its range from its turn until its last part
/// has ended, then completes once.
abstract class RangedIo extends RangeOrder.Entry implements IoCommand {

  private final OpenPool pool;
  private final VolumeState volume;
  private final long end;
  private final Completion completion;
  private final AtomicInteger parts = new AtomicInteger(1);
  private volatile @Nullable StorageException failure;

  /// The bytes of a volume that an I/O is about.
  record Range(VolumeState volume, long offset, long length) {

    /// Whether the range is whole blocks.
    boolean isAligned() {
      return (offset | length) % PoolLayout.BLOCK == 0;
    }

    long end() {
      return offset + length;
    }
  }

  /// @param exclusive nothing that overlaps may run beside it
  RangedIo(OpenPool pool, Range range, boolean exclusive, Completion completion) {
    super(
        range.offset() / PoolLayout.BLOCK,
        (range.end() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK,
        exclusive,
        false);
    this.pool = pool;
    this.volume = range.volume();
    this.end = range.end();
    this.completion = completion;
  }

  final VolumeState volume() {
    return volume;
  }

  /// Starts the parts, each announced by [#part] or [#background]. Must not block.
  abstract void begin();

  @Override
  final void granted() {
    if (volume.isDeleted()) {
      failed(volume.notFound());
      return;
    }
    long size = volume.info().sizeInBytes();
    if (end > size) { // a revert that came before has shrunk the volume
      failed(
          new StorageException.InvalidRequest(
              "Expected a range that ends at %d bytes or before, got %d in volume %s."
                  .formatted(size, end, volume.info().id())));
      return;
    }
    try {
      begin();
      done();
    } catch (RuntimeException | Error e) {
      failed(BlockReads.failureOf(e));
    }
  }

  /// One more part is under way.
  final IoCommand part() {
    parts.incrementAndGet();
    return this;
  }

  /// Runs a part that blocks. It ends when `work` returns, or fails with what it throws; further
  /// parts that it starts end for themselves.
  final void background(Runnable work) {
    background(
        part -> {
          work.run();
          part.done();
        });
  }

  /// As [#background], for work that hands its part on.
  final void background(Consumer<IoCommand> work) {
    IoCommand part = part();
    try {
      pool.reads()
          .execute(
              () -> {
                try {
                  work.accept(part);
                } catch (RuntimeException | Error e) {
                  part.failed(BlockReads.failureOf(e));
                }
              });
    } catch (StorageException e) {
      part.failed(e);
    }
  }

  @Override
  public final void done() {
    if (parts.decrementAndGet() == 0) {
      volume.order().leave(this);
      StorageException reason = failure;
      if (reason == null) {
        completion.succeeded();
      } else {
        completion.failed(reason);
      }
    }
  }

  @Override
  public final void failed(StorageException reason) {
    failure = reason;
    done();
  }
}
