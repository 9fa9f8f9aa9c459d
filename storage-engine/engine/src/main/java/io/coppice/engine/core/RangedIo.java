package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A changing I/O of one volume: holds its range from its turn until its last part has ended, then
/// completes once.
abstract class RangedIo extends RangeOrder.Entry implements IoCommand {

  private final VolumeState volume;
  private final Completion completion;
  private final AtomicInteger parts = new AtomicInteger(1);
  private volatile @Nullable StorageException failure;

  /// @param exclusive nothing that overlaps may run beside it
  RangedIo(VolumeState volume, long first, long end, boolean exclusive, Completion completion) {
    super(first, end, exclusive, false);
    this.volume = volume;
    this.completion = completion;
  }

  final VolumeState volume() {
    return volume;
  }

  /// Starts the parts, each announced by [#part]. Must not block.
  abstract void begin();

  @Override
  final void granted() {
    if (volume.isDeleted()) {
      failed(volume.notFound());
      return;
    }
    try {
      begin();
      done();
    } catch (StorageException e) {
      failed(e);
    }
  }

  /// One more part is under way.
  final IoCommand part() {
    parts.incrementAndGet();
    return this;
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
