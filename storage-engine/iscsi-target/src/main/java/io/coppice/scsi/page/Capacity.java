package io.coppice.scsi.page;

import java.nio.ByteBuffer;

/// READ CAPACITY parameter data (SBC-4 §5.18, §5.19).
public final class Capacity {

  private Capacity() {}

  /// READ CAPACITY (10): FFFFFFFFh if the last LBA does not fit.
  ///
  /// @param blocks at least 1
  public static ByteBuffer encode10(long blocks, int blockSizeInBytes) {
    long last = Math.min(blocks - 1, 0xffff_ffffL);
    return ByteBuffer.allocate(8).putInt(0, (int) last).putInt(4, blockSizeInBytes);
  }

  /// READ CAPACITY (16).
  ///
  /// @param blocks at least 1
  /// @param exponent 2^exponent logical blocks per physical block
  /// @param thin LBPME and LBPRZ: blocks can be unmapped and then read as zeros
  public static ByteBuffer encode16(long blocks, int blockSizeInBytes, int exponent, boolean thin) {
    ByteBuffer to = ByteBuffer.allocate(32).putLong(0, blocks - 1).putInt(8, blockSizeInBytes);
    return to.put(13, (byte) exponent).put(14, (byte) (thin ? 0xc0 : 0));
  }
}
