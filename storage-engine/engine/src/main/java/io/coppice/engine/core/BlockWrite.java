package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.WriteCommand;
import java.nio.ByteBuffer;

/// Whole blocks of a volume on their way into the log.
final class BlockWrite extends WriteCommand implements SpaceGate.Stalled {

  private static final int MAX_RETRIES = 3;

  private final OpenPool pool;
  private final VolumeState volume;
  private final boolean whole;
  private final IoCommand io;
  private int retries;

  /// @param whole readers must see all of it or nothing
  BlockWrite(OpenPool pool, VolumeState volume, BlockRun run, boolean whole, IoCommand io) {
    super(pool.log(), volume.number(), run.first, run.payload);
    this.pool = pool;
    this.volume = volume;
    this.whole = whole;
    this.io = io;
  }

  /// Blocks from `first` on with their content.
  record BlockRun(long first, ByteBuffer payload) {}

  @Override
  protected boolean admit() {
    long bytes = (blocks() + 1L) * 4096;
    SpaceGate gate = pool.gate();
    if (gate.hasRoom(bytes, volume.chargedBlocks() * 4096)) {
      return true;
    }
    if (retries < MAX_RETRIES && gate.canGain()) {
      retries++;
      gate.stall(this);
    } else {
      fail(SpaceGate.outOfSpace(volume, bytes, pool.state().space().free()));
    }
    return false;
  }

  @Override
  public void retry() {
    readmit();
    pool.committer().submit(this);
  }

  @Override
  protected void apply() {
    pool.blocks().write(volume, first(), addresses(), crcs(), whole);
    io.done();
  }

  @Override
  protected void fail(StorageException failure) {
    io.failed(failure);
  }
}
