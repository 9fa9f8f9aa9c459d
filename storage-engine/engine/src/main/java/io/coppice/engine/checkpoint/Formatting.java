package io.coppice.engine.checkpoint;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.superblock.Superblocks;
import java.nio.ByteBuffer;
import java.util.List;

/// The making of an empty pool: an empty checkpoint in zone 0 and a log that begins in zone 1.
public final class Formatting {

  private static final int LOG_SEGMENT = 0;
  private static final int NEXT_SEGMENT = 1;

  private Formatting() {}

  /// Order, and what a crash leaves: the superblock area is cleared first, so that nothing of an
  /// earlier pool can be taken for this one. The superblock comes last, so that a pool is there
  /// only when it is whole.
  public static void format(BlockDevice device, PoolFormat format) {
    format(device, format, Superblock.Mirror.NONE);
  }

  /// @param mirror the two devices of which `device` is made, or none
  public static void format(BlockDevice device, PoolFormat format, Superblock.Mirror mirror) {
    int zoneSize = format.zoneSizeInBytes();
    int zones = PoolLayout.zonesOf(device.sizeInBytes(), zoneSize);
    if (zones < PoolLayout.MIN_ZONES) {
      throw new StorageException.PoolUnusable(
          "Expected a capacity of at least %d bytes, got %d."
              .formatted(
                  PoolLayout.zoneOffset(PoolLayout.MIN_ZONES, zoneSize), device.sizeInBytes()));
    }
    ByteBuffer zeros = AlignedBuffers.allocate((int) PoolLayout.SUPERBLOCK_AREA);
    device.writeStable(0, List.of(zeros));
    PoolState state =
        new PoolState(device, format.id(), new Superblock.Geometry(zoneSize, zones), 0);
    state.segments().add(state.segments().newId(), Segment.Kind.LOG, state.segments().takeZone());
    int nextZone = state.segments().takeZone();
    state.segments().ids().use(NEXT_SEGMENT);
    LogPosition start = new LogPosition(1, 0, LOG_SEGMENT, 0, 0, nextZone, NEXT_SEGMENT);
    CheckpointWriter.Written written =
        new CheckpointWriter(
                new CheckpointWriter.Target(device, format.id(), state.segments().zoneSize()),
                state.segments(),
                1,
                CheckpointWriter.Place.NONE)
            .write(CheckpointImage.of(state, start, false, false));
    Superblock.Features features = new Superblock.Features(0, 0, 0).current();
    Superblock superblock =
        new Superblock(
            format.id(),
            1,
            mirror.equals(Superblock.Mirror.NONE) ? features : features.mirrored(),
            new Superblock.Geometry(zoneSize, zones),
            format.created().toEpochMilli(),
            written.root(),
            start,
            mirror);
    Superblocks.write(device, superblock);
  }
}
