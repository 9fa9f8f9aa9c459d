package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// REPORT TARGET PORT GROUPS parameter data (SPC-5 §6.37): one group with one port.
public final class TargetPortGroup {

  private static final int DESCRIPTOR = 12;
  private static final int BOTH_SUPPORTED = 0x03; // AO_SUP and AN_SUP
  private static final int ALTERED_BY_COMMAND = 0x01;

  private TargetPortGroup() {}

  /// ASYMMETRIC ACCESS STATE. Commands run alike in both states: there is one controller. A host
  /// uses the states to say that it prefers another path.
  public enum State {
    OPTIMIZED,
    NON_OPTIMIZED;

    /// Its code.
    public int code() {
      return ordinal();
    }
  }

  /// @param group target port group and relative target port identifier
  /// @param extended whether the extended header is asked for
  /// @param set the state that SET TARGET PORT GROUPS gave it; null if it never did
  public static ByteBuffer encode(int group, boolean extended, @Nullable State set) {
    int header = extended ? 8 : 4;
    ByteBuffer to = ByteBuffer.allocate(header + DESCRIPTOR).putInt(header - 4 + DESCRIPTOR);
    if (extended) {
      to.put((byte) 0x10).put((byte) 0).putShort((short) 0);
    }
    to.put((byte) (set == null ? State.OPTIMIZED : set).code()).put((byte) BOTH_SUPPORTED);
    to.putShort((short) group).put((byte) 0);
    to.put((byte) (set == null ? 0 : ALTERED_BY_COMMAND)).put((byte) 0).put((byte) 1);
    return to.putShort((short) 0).putShort((short) group).flip();
  }
}
