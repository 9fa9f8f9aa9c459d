package io.coppice.scsi.page;

import java.nio.ByteBuffer;

/// How an EXTENDED COPY (LID1) stands: RECEIVE COPY STATUS parameter data (SPC-4 §6.18.2).
///
/// @param segments how many were processed
/// @param blocks how many were copied
public record CopyStatus(State state, int segments, long blocks) {

  /// COPY COMMAND STATUS.
  public enum State {
    IN_PROGRESS,
    COMPLETED,
    FAILED
  }

  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(12).putInt(0, 8).put(4, (byte) state.ordinal());
    // TRANSFER COUNT UNITS 01h: the count is in KiB.
    return to.putShort(5, (short) segments).put(7, (byte) 1).putInt(8, (int) (blocks / 2));
  }
}
