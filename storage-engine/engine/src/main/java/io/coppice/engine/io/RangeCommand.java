package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.List;

/// A change of a range of blocks that stores one block or none.
final class RangeCommand extends Command implements Admission.Touching {

  /// The kind of change.
  sealed interface Kind {

    /// @param runs at most [UnmapIo#MOST_RUNS]
    record Unmap(List<Run> runs) implements Kind {}

    /// The block at every place of the range.
    record Fill(long first, int blocks, ByteBuffer block) implements Kind {}

    record Copy(long first, VolumeState source, long sourceFirst, int blocks) implements Kind {}
  }

  /// A run of blocks of a volume.
  record Run(long first, long blocks) {}

  private record Wanted(VolumeState volume, long first, int blocks, int stored)
      implements SpaceGate.Demand {}

  private final OpenPool pool;
  private final VolumeState volume;
  private final Kind kind;
  private final IoCommand io;
  private final SpaceGate.Claim claim = new SpaceGate.Claim();
  private int payload;
  private long address;

  RangeCommand(OpenPool pool, VolumeState volume, Kind kind, IoCommand io) {
    this.pool = pool;
    this.volume = volume;
    this.kind = kind;
    this.io = io;
  }

  @Override
  public boolean touches(Admission.Ranges ranges) {
    return switch (kind) {
      // What lies between the leaves at its ends is cut off, unseen, unless it is to be kept.
      case Kind.Unmap(var runs) when volume.timeline() != null -> touchesAll(runs, ranges);
      case Kind.Unmap(var runs) -> touchesEnds(runs, ranges);
      case Kind.Fill(var first, var blocks, _) -> ranges.range(volume, first, blocks);
      case Kind.Copy(var first, var source, var sourceFirst, var blocks) ->
          ranges.range(source, sourceFirst, blocks) && ranges.range(volume, first, blocks);
    };
  }

  private boolean touchesAll(List<Run> runs, Admission.Ranges ranges) {
    return runs.stream().allMatch(run -> ranges.range(volume, run.first, run.blocks));
  }

  private boolean touchesEnds(List<Run> runs, Admission.Ranges ranges) {
    for (Run run : runs) {
      if (!ranges.range(volume, run.first, 1)
          || !ranges.range(volume, run.first + run.blocks - 1, 1)) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected boolean admit() {
    SpaceGate gate = pool.gate();
    return switch (kind) {
      case Kind.Unmap _ -> gate.admit(this);
      case Kind.Fill(var first, var blocks, _) ->
          gate.admit(this, claim, new Wanted(volume, first, blocks, 1));
      case Kind.Copy(var first, _, _, var blocks) ->
          gate.admit(this, claim, new Wanted(volume, first, blocks, 0));
    };
  }

  @Override
  protected boolean append(Batch batch) {
    return switch (kind) {
      case Kind.Unmap(var runs) -> appendAll(runs, batch);
      case Kind.Fill(var first, var blocks, var block) -> {
        payload = batch.fill(volume.number(), first, blocks, block);
        yield payload >= 0;
      }
      case Kind.Copy(var first, var source, var sourceFirst, var blocks) ->
          batch.copy(volume.number(), first, source.number(), sourceFirst, blocks);
    };
  }

  /// Appends all runs to one batch, so that a checkpoint is never cut between them.
  private boolean appendAll(List<Run> runs, Batch batch) {
    if (!batch.hasRoomForUnmaps(runs.size())) {
      return false;
    }
    runs.forEach(run -> batch.unmap(volume.number(), run.first, run.blocks));
    return true;
  }

  @Override
  protected void stable() {
    if (kind instanceof Kind.Fill) {
      address = pool.log().addressOf(payload);
    }
  }

  @Override
  public void entersQueue(long at) {
    io.entersQueue(at);
  }

  @Override
  protected void leavesQueue(long at) {
    io.leavesQueue(at);
  }

  @Override
  protected void apply() {
    pool.gate().settle(claim);
    BlockChanges changes = pool.blocks();
    switch (kind) {
      case Kind.Unmap(var runs) -> {
        long before = volume.head().mapped();
        runs.forEach(run -> changes.unmap(volume, run.first, run.blocks));
        volume.countWritten().unmapped(before - volume.head().mapped());
      }
      case Kind.Fill(var first, var blocks, var block) ->
          changes.fill(
              volume,
              first,
              blocks,
              address,
              new io.coppice.engine.format.Checksum().of(block, block.position(), 4096));
      case Kind.Copy(var first, var source, var sourceFirst, var blocks) -> {
        if (source.isDeleted()) {
          fail(source.notFound());
          return;
        }
        changes.copy(volume, first, source, sourceFirst, blocks);
      }
    }
    io.done();
  }

  @Override
  protected void fail(StorageException failure) {
    pool.gate().settle(claim);
    io.failed(failure);
  }
}
