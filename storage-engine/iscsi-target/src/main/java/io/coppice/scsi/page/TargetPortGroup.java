package io.coppice.scsi.page;

import java.nio.ByteBuffer;

/// REPORT TARGET PORT GROUPS parameter data (SPC-5 §6.37): one group with one port, always
/// active/optimized.
public final class TargetPortGroup {

  private static final int DESCRIPTOR = 12;

  private TargetPortGroup() {}

  /// @param group target port group and relative target port identifier
  /// @param extended whether the extended header is asked for
  public static ByteBuffer encode(int group, boolean extended) {
    int header = extended ? 8 : 4;
    ByteBuffer to = ByteBuffer.allocate(header + DESCRIPTOR).putInt(header - 4 + DESCRIPTOR);
    if (extended) {
      to.put((byte) 0x10).put((byte) 0).putShort((short) 0);
    }
    to.put((byte) 0x00).put((byte) 0x01); // active/optimized; only that state is supported
    to.putShort((short) group).put((byte) 0).put((byte) 0).put((byte) 0).put((byte) 1);
    return to.putShort((short) 0).putShort((short) group).flip();
  }
}
