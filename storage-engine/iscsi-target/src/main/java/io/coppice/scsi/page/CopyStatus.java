package io.coppice.scsi.page;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// How an EXTENDED COPY (LID1) stands: RECEIVE COPY STATUS parameter data (SPC-4 §6.18.2).
///
/// @param segments how many were processed
/// @param blocks how many were copied
/// @param failure what the command ended with, if a segment failed
public record CopyStatus(State state, int segments, long blocks, @Nullable SenseData failure) {

  private static final int DETAILS = 60;
  private static final int CHECK_CONDITION = 0x02;

  /// COPY COMMAND STATUS.
  public enum State {
    IN_PROGRESS,
    COMPLETED,
    FAILED
  }

  /// RECEIVE COPY FAILURE DETAILS parameter data (SPC-4 §6.18.5); no data is available of a copy
  /// that did not fail, or that nobody knows.
  public static ByteBuffer encodeFailure(@Nullable CopyStatus status) {
    SenseData failure = status == null ? null : status.failure();
    if (failure == null) {
      return ByteBuffer.allocate(4);
    }
    ByteBuffer sense = failure.encode();
    int length = sense.remaining();
    ByteBuffer to = ByteBuffer.allocate(DETAILS + length).putInt(0, DETAILS - 4 + length);
    to.put(DETAILS - 4, (byte) CHECK_CONDITION).putShort(DETAILS - 2, (short) length);
    return to.put(DETAILS, sense, sense.position(), length);
  }

  /// RECEIVE COPY DATA parameter data (SPC-4 §6.18.3): HELD DATA LIMIT is 0, nothing is ever held.
  public static ByteBuffer noHeldData() {
    return ByteBuffer.allocate(4);
  }

  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(12).putInt(0, 8).put(4, (byte) state.ordinal());
    // TRANSFER COUNT UNITS 01h: the count is in KiB.
    return to.putShort(5, (short) segments).put(7, (byte) 1).putInt(8, (int) (blocks / 2));
  }
}
