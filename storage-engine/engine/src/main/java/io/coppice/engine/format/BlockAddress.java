package io.coppice.engine.format;

/// The stable address of stored blocks, packed into 8 bytes: a logical segment and an offset in it.
/// The segment table says where a segment lies, so a block can move without an edit of any map.
///
/// ```text
///  63..62 kind (0 none, 1 stored) | 61 spare, zero | 60..57 blocks - 1 | 56..48 spare, zero
///  47..20 segment                 | 19..0 offset in the segment, in units of 512 bytes
/// ```
///
/// An address names a place at the start of a block: the offset is 8 times the number of the block
/// in the segment. A block of data takes 1 block; a node or page takes as many as its length needs.
public final class BlockAddress {

  /// Nothing stored: a hole.
  public static final long NONE = 0;

  /// Largest segment id.
  public static final int MAX_SEGMENT = (1 << 28) - 1;

  private static final long STORED = 1L << 62;
  private static final int UNITS_PER_BLOCK = PoolLayout.BLOCK / 512;

  private BlockAddress() {}

  /// @param block first block in the segment
  /// @param blocks 1 to 16
  public static long of(int segment, int block, int blocks) {
    return STORED
        | ((long) (blocks - 1) << 57)
        | ((long) segment << 20)
        | ((long) block * UNITS_PER_BLOCK);
  }

  /// Address of the block behind it in the segment.
  static long next(long address) {
    return address + UNITS_PER_BLOCK;
  }

  public static int segment(long address) {
    return (int) (address >>> 20) & MAX_SEGMENT;
  }

  /// First block in the segment.
  public static int block(long address) {
    return (int) (address & 0xFFFFF) / UNITS_PER_BLOCK;
  }

  public static int blocks(long address) {
    return (int) (address >>> 57 & 0xF) + 1;
  }

  /// Whether the value is one that [#of] makes.
  public static boolean isValid(long address) {
    return (address & ~(0xFL << 57) & ~0xFFFF_FFFF_FFFFL) == STORED
        && (address & 0xFFFFF) % UNITS_PER_BLOCK == 0;
  }

  public static String describe(long address) {
    return "segment %d block %d".formatted(segment(address), block(address));
  }
}
