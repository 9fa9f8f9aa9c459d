package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;

/// A read. It samples the map when it begins, at once unless an exclusive I/O that came before it
/// overlaps; after that nothing that comes later can change what it returns.
final class ReadIo extends RangeOrder.Entry {

  private final OpenPool pool;
  private final VolumeState volume;
  private final long offset;
  private final ByteBuffer into;
  private final Completion completion;
  private boolean waited;

  ReadIo(OpenPool pool, VolumeState volume, long offset, ByteBuffer into, Completion completion) {
    super(
        offset / PoolLayout.BLOCK,
        (offset + into.remaining() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK,
        (offset | into.remaining()) % PoolLayout.BLOCK != 0,
        true);
    this.pool = pool;
    this.volume = volume;
    this.offset = offset;
    this.into = into;
    this.completion = completion;
  }

  /// @param mayBlock whether the calling thread may read the device
  void start(boolean mayBlock) {
    volume.readBegins();
    if (volume.order().enterUnlessFree(this)) {
      sample(mayBlock);
    }
  }

  @Override
  void granted() {
    waited = true;
    sample(false);
  }

  private void sample(boolean mayBlock) {
    if (volume.isDeleted()) {
      end(volume.notFound());
      return;
    }
    long first = offset / PoolLayout.BLOCK;
    long end = (offset + into.remaining() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK;
    BlockReads.Mapping mapping = pool.reads().new Mapping(volume, first, (int) (end - first));
    if (waited) {
      waited = false;
      volume.order().leave(this);
    }
    if (mapping.isHole()) {
      mapping.close();
      int length = into.remaining();
      BlockReads.zero(into, length);
      succeed(length);
      return;
    }
    if (mayBlock && pool.reads().enter()) {
      try {
        read(mapping);
      } finally {
        pool.reads().leave();
      }
      return;
    }
    try {
      pool.reads().execute(() -> read(mapping));
    } catch (StorageException e) {
      mapping.close();
      end(e);
    }
  }

  private void read(BlockReads.Mapping mapping) {
    int position = into.position();
    int length = into.remaining();
    StorageException failure = null;
    try (mapping) {
      mapping.read(offset, into);
    } catch (RuntimeException | Error e) {
      into.position(position);
      failure = BlockReads.failureOf(e);
    }
    if (failure == null) {
      succeed(length);
    } else {
      end(failure);
    }
  }

  private void succeed(int length) {
    pool.tally().hostBytesRead.add(length);
    volume.readEnds();
    completion.succeeded();
  }

  private void end(StorageException failure) {
    if (waited) {
      waited = false;
      volume.order().leave(this);
    }
    volume.readEnds();
    completion.failed(failure);
  }
}
