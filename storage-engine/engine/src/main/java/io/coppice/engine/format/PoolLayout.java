package io.coppice.engine.format;

/// The layout of a device, and the numbers that every structure shares.
public final class PoolLayout {

  /// Version of the format written and read by this code.
  public static final int VERSION = 1;

  /// Unit of allocation and of transfer, in bytes.
  public static final int BLOCK = 4096;

  /// Slots of one superblock ring; there are two rings, one after the other.
  public static final int RING_SLOTS = 64;

  /// Bytes before zone 0: two rings of superblock slots.
  public static final long SUPERBLOCK_AREA = 2L * RING_SLOTS * BLOCK;

  /// Smallest zone size, in bytes.
  public static final int MIN_ZONE_SIZE = 256 << 10;

  /// Largest zone size, in bytes.
  public static final int MAX_ZONE_SIZE = 64 << 20;

  /// Fewest zones of a pool: two of the log, and two of checkpoints with the copies of both.
  public static final int MIN_ZONES = 6;

  private PoolLayout() {}

  /// Byte offset of a zone on the device.
  public static long zoneOffset(int zone, int zoneSize) {
    return SUPERBLOCK_AREA + (long) zone * zoneSize;
  }

  /// The zone that holds the byte at `offset` of the device; -1 if it is before the first one.
  public static int zoneOf(long offset, int zoneSize) {
    return offset < SUPERBLOCK_AREA ? -1 : (int) ((offset - SUPERBLOCK_AREA) / zoneSize);
  }

  /// Byte offset of slot `generation mod 64` in ring 0 or 1.
  public static long slotOffset(int ring, long generation) {
    return ((long) ring * RING_SLOTS + Math.floorMod(generation, RING_SLOTS)) * BLOCK;
  }

  /// Whole zones of a device of `deviceSize` bytes.
  public static int zonesOf(long deviceSize, int zoneSize) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, deviceSize - SUPERBLOCK_AREA) / zoneSize);
  }

  /// Blocks that `bytes` fill, the last one perhaps in part.
  public static int blocksFor(int bytes) {
    return (bytes + BLOCK - 1) / BLOCK;
  }
}
