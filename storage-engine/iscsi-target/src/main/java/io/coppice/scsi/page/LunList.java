package io.coppice.scsi.page;

import java.nio.ByteBuffer;

/// REPORT LUNS parameter data (SPC-5 §6.32).
public final class LunList {

  private LunList() {}

  /// @param luns 8-byte LUNs, first byte first
  public static ByteBuffer encode(long[] luns) {
    ByteBuffer to = ByteBuffer.allocate(Math.addExact(8, Math.multiplyExact(8, luns.length)));
    to.putInt(8 * luns.length).putInt(0);
    for (long lun : luns) {
      to.putLong(lun);
    }
    return to.flip();
  }
}
