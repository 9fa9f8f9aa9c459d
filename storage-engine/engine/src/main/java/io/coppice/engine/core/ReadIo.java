package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A read. It samples the map when it begins, at once unless an exclusive I/O that came before it
/// overlaps; after that nothing that comes later can change what it returns.
final class ReadIo extends RangeOrder.Entry implements PiecewiseRead.Owner {

  private final OpenPool pool;
  private final VolumeState volume;
  private final long offset;
  private final ByteBuffer into;
  private final Completion completion;
  private final int length;
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
    length = into.remaining();
  }

  void start(Caller caller) {
    volume.readBegins();
    if (volume.order().enterUnlessFree(this)) {
      sample(caller);
    }
  }

  @Override
  void granted() {
    waited = true;
    sample(Caller.HANDS_OVER);
  }

  private void sample(Caller caller) {
    if (volume.isDeleted()) {
      end(volume.notFound());
      return;
    }
    long first = offset / PoolLayout.BLOCK;
    long end = (offset + into.remaining() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK;
    BlockReads.Mapping mapping =
        pool.reads().new Mapping(volume, first, (int) (end - first), false);
    if (mapping.isComplete()) {
      if (!isHole(mapping)) {
        begin(mapping, caller != Caller.HANDS_OVER);
      }
      return;
    }
    mapping.close();
    if (caller == Caller.BLOCKS && pool.reads().enter()) {
      try {
        load(first, (int) (end - first));
      } finally {
        pool.reads().leave();
      }
      return;
    }
    try {
      pool.reads().execute(() -> load(first, (int) (end - first)));
    } catch (StorageException e) {
      end(e);
    }
  }

  /// Samples a map of which not all is in memory; on a thread that may read the device.
  private void load(long first, int blocks) {
    BlockReads.Mapping mapping;
    try {
      mapping = pool.reads().new Mapping(volume, first, blocks);
    } catch (RuntimeException | Error e) {
      end(BlockReads.failureOf(e));
      return;
    }
    if (!isHole(mapping) && !(pool.reads().prefersQueue(mapping) && isQueued(mapping))) {
      readHere(mapping);
    }
  }

  private boolean isQueued(BlockReads.Mapping mapping) {
    return PiecewiseRead.fits(offset, into)
        && !mapping.isInLargePieces()
        && pool.reads().offer(new PiecewiseRead(mapping, into, this));
  }

  /// The map is sampled. A hole is read at once.
  private boolean isHole(BlockReads.Mapping mapping) {
    if (waited) {
      waited = false;
      volume.order().leave(this);
    }
    if (!mapping.isHole()) {
      return false;
    }
    mapping.close();
    BlockReads.zero(into, length);
    succeed();
    return true;
  }

  private void begin(BlockReads.Mapping mapping, boolean here) {
    if (here && !pool.reads().prefersQueue(mapping) && pool.reads().enter()) {
      try {
        readHere(mapping);
      } finally {
        pool.reads().leave();
      }
      return;
    }
    if (isQueued(mapping)) {
      return;
    }
    try {
      pool.reads().execute(() -> readHere(mapping));
    } catch (StorageException e) {
      mapping.close();
      end(e);
    }
  }

  @Override
  public void readHere(BlockReads.Mapping mapping) {
    int position = into.position();
    int limit = into.limit();
    StorageException failure = null;
    try (mapping) {
      mapping.read(offset, into);
    } catch (RuntimeException | Error e) {
      into.limit(limit).position(position);
      failure = BlockReads.failureOf(e);
    }
    ended(failure);
  }

  @Override
  public void ended(@Nullable StorageException failure) {
    if (failure == null) {
      succeed();
    } else {
      end(failure);
    }
  }

  private void succeed() {
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
