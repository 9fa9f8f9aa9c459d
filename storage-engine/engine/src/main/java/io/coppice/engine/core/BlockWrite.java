package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.WriteCommand;
import java.nio.ByteBuffer;

/// Whole blocks of a volume on their way into the log.
final class BlockWrite extends WriteCommand implements SpaceGate.Stalled, Admission.Touching {

  private final OpenPool pool;
  private final VolumeState volume;
  private final boolean whole;
  private final IoCommand io;
  private final SpaceGate.Claim claim = new SpaceGate.Claim();

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
  public void touches(Admission.Ranges ranges) {
    ranges.range(volume, first(), blocks());
  }

  @Override
  public void refuse(StorageException reason) {
    fail(reason);
  }

  @Override
  protected boolean admit() {
    SpaceGate.Demand demand = new SpaceGate.Demand(volume, first(), blocks(), blocks());
    return switch (pool.gate().admit(this, claim, demand)) {
      case ADMITTED -> true;
      case PUT_ASIDE -> false;
      case REFUSED -> {
        fail(pool.gate().outOfSpace(volume, blocks()));
        yield false;
      }
    };
  }

  @Override
  public void retry() {
    readmit();
    pool.committer().submit(this);
  }

  @Override
  public void giveUp(StorageException reason) {
    fail(reason);
  }

  @Override
  protected void apply() {
    pool.gate().settle(claim);
    pool.blocks().write(volume, first(), addresses(), crcs(), whole);
    io.done();
  }

  @Override
  protected void fail(StorageException failure) {
    pool.gate().settle(claim);
    io.failed(failure);
  }
}
