package io.coppice.engine.io;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.state.RangeOrder;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;

/// A compare-and-write. It holds its blocks alone from before the read until the new bytes are
/// applied. The bytes that it compares are stable, so a crash keeps both outcomes. The new bytes
/// are one command: after a crash all of them are there, or none.
final class CompareIo extends RangeOrder.Entry implements IoCommand {

  private static final int BLOCK = PoolLayout.BLOCK;

  private final OpenPool pool;
  private final VolumeState volume;
  private final long offset;
  private final ByteBuffer expected;
  private final ByteBuffer replacement;
  private final CompareCompletion completion;

  CompareIo(
      OpenPool pool,
      VolumeState volume,
      long offset,
      ByteBuffer expected,
      ByteBuffer replacement,
      CompareCompletion completion) {
    super(offset / BLOCK, (offset + expected.remaining() + BLOCK - 1) / BLOCK, true, false);
    this.pool = pool;
    this.volume = volume;
    this.offset = offset;
    this.expected = expected;
    this.replacement = replacement;
    this.completion = completion;
  }

  @Override
  protected void granted() {
    if (volume.isDeleted()) {
      failed(volume.notFound());
      return;
    }
    long size = volume.info().sizeInBytes();
    if (offset + expected.remaining() > size) { // a revert that came before has shrunk the volume
      failed(
          new StorageException.InvalidRequest(
              "Expected a range inside the %d bytes of volume %s, got %d bytes at %d."
                  .formatted(size, volume.info().id(), expected.remaining(), offset)));
      return;
    }
    try {
      pool.reads().execute(this::compare);
    } catch (RuntimeException | Error e) {
      failed(BlockReads.failureOf(e));
    }
  }

  private void compare() {
    try {
      long first = offset / BLOCK;
      int length = expected.remaining();
      int blocks = (int) ((offset + length + BLOCK - 1) / BLOCK - first);
      ByteBuffer whole = AlignedBuffers.allocate(blocks * BLOCK);
      try (BlockReads.Mapping mapping = pool.reads().new Mapping(volume, first, blocks)) {
        mapping.read(first * BLOCK, whole);
      }
      int head = (int) (offset - first * BLOCK);
      int mismatch = whole.slice(head, length).mismatch(expected);
      if (mismatch >= 0) {
        volume.order().leave(this);
        completion.miscompared(mismatch);
        return;
      }
      whole.clear().put(head, replacement, replacement.position(), length);
      BlockWrite.BlockRun run = new BlockWrite.BlockRun(first, whole);
      pool.admission().submit(new BlockWrite(pool, volume, run, true, this));
    } catch (RuntimeException | Error e) {
      failed(BlockReads.failureOf(e));
    }
  }

  @Override
  public void done() {
    pool.tally().hostBytesWritten.add(expected.remaining());
    volume.order().leave(this);
    completion.written();
  }

  @Override
  public void failed(StorageException failure) {
    volume.order().leave(this);
    completion.failed(failure);
  }
}
