package io.coppice.scsi.page;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The status of a copy operation: parameter data of RECEIVE COPY STATUS, RECEIVE COPY FAILURE
/// DETAILS and RECEIVE ROD TOKEN INFORMATION (SPC-4 §6.23 to §6.26).
///
/// | Component | Meaning |
/// |---|---|
/// | `serviceAction` | of the command that began it |
/// | `segments` | how many were processed; 0 for commands without segments |
/// | `bytes` | written to destinations |
/// | `calls` | commands, or what is like them, that were carried out |
/// | `status` | status code of the ended operation |
/// | `failure` | what it ended with, if that was CHECK CONDITION |
public record CopyStatus(
    int serviceAction,
    State state,
    int segments,
    long bytes,
    int calls,
    int status,
    @Nullable SenseData failure) {

  private static final int DETAILS = 60;
  private static final int CHECK_CONDITION = 0x02;
  private static final int TASK_ABORTED = 0x40;
  private static final int HEADER = 32;
  private static final int BLOCK = 512;
  private static final int IN_BLOCKS = 0xf1;
  private static final int ENDED = 0xffff_fffe;
  private static final int POPULATE_TOKEN = 0x10;

  /// The time after which to ask again, in milliseconds.
  private static final int DELAY_MILLIS = 100;

  /// COPY COMMAND STATUS (LID1) and COPY OPERATION STATUS.
  public enum State {
    IN_FOREGROUND(0x00, 0x11),
    IN_BACKGROUND(0x00, 0x12),
    COMPLETED(0x01, 0x01),
    /// Without errors, but not all that was asked for.
    PARTIAL(0x01, 0x03),
    FAILED(0x02, 0x02),
    TERMINATED(0x02, 0x60);

    private final int shortCode;
    private final int code;

    State(int shortCode, int code) {
      this.shortCode = shortCode;
      this.code = code;
    }

    /// Whether it is over.
    public boolean isEnd() {
      return this != IN_FOREGROUND && this != IN_BACKGROUND;
    }
  }

  /// An operation that has not done anything yet.
  public static CopyStatus begun(int serviceAction, boolean background) {
    State state = background ? State.IN_BACKGROUND : State.IN_FOREGROUND;
    return new CopyStatus(serviceAction, state, 0, 0, 0, 0, null);
  }

  /// After one more call that wrote so much.
  public CopyStatus advanced(int newSegments, long newBytes) {
    return new CopyStatus(serviceAction, state, newSegments, newBytes, calls + 1, 0, null);
  }

  /// While it processes the numbered segment, counted from 1.
  public CopyStatus processing(int segment) {
    return new CopyStatus(serviceAction, state, segment, bytes, calls, 0, null);
  }

  /// At its end without errors.
  ///
  /// @param end [State#COMPLETED] or [State#PARTIAL]
  public CopyStatus ended(State end) {
    return new CopyStatus(serviceAction, end, segments, bytes, calls, 0, null);
  }

  /// Ended with CHECK CONDITION.
  public CopyStatus failed(SenseData why) {
    return new CopyStatus(
        serviceAction, State.FAILED, segments, bytes, calls, CHECK_CONDITION, why);
  }

  /// Ended with a status that has no sense data.
  public CopyStatus refused(int statusCode) {
    return new CopyStatus(serviceAction, State.FAILED, segments, bytes, calls, statusCode, null);
  }

  public CopyStatus terminated() {
    return new CopyStatus(
        serviceAction, State.TERMINATED, segments, bytes, calls, TASK_ABORTED, null);
  }

  /// RECEIVE COPY FAILURE DETAILS parameter data (SPC-4 §6.23). No data is available of a copy that
  /// did not fail or is unknown.
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

  /// RECEIVE COPY DATA parameter data (SPC-4 §6.21). HELD DATA LIMIT is 0: nothing is ever held.
  public static ByteBuffer noHeldData() {
    return ByteBuffer.allocate(4);
  }

  /// RECEIVE COPY STATUS (LID1) parameter data (SPC-4 §6.25).
  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(12).putInt(0, 8).put(4, (byte) state.shortCode);
    // TRANSFER COUNT UNITS 01h: the count is in KiB.
    return to.putShort(5, (short) segments).put(7, (byte) 1).putInt(8, (int) (bytes / 1024));
  }

  /// RECEIVE COPY STATUS (LID4) parameter data (SPC-4 §6.24).
  public ByteBuffer encodeLong() {
    return encode(0);
  }

  /// RECEIVE ROD TOKEN INFORMATION parameter data (SPC-4 §6.26, SBC-4 §5.25).
  ///
  /// @param token the token that POPULATE TOKEN made; null if none
  public ByteBuffer encodeTokens(byte @Nullable [] token) {
    int length = token == null ? 0 : 2 + token.length;
    ByteBuffer to = encode(4 + length);
    int at = to.limit() - 4 - length;
    to.putInt(at, length);
    return token == null ? to : to.put(at + 6, token);
  }

  /// @param more bytes after the sense data, zero
  private ByteBuffer encode(int more) {
    ByteBuffer sense = failure == null ? ByteBuffer.allocate(0) : failure.encode();
    int used = sense.remaining();
    int field = (used + 3) / 4 * 4;
    ByteBuffer to = ByteBuffer.allocate(HEADER + field + more);
    to.putInt(to.capacity() - 4).put((byte) serviceAction).put((byte) state.code);
    to.putShort((short) calls).putInt(state.isEnd() ? ENDED : DELAY_MILLIS);
    to.put((byte) status).put((byte) field).put((byte) used);
    boolean blocks = serviceAction >= POPULATE_TOKEN;
    to.put((byte) (blocks ? IN_BLOCKS : 0)).putLong(blocks ? bytes / BLOCK : bytes);
    to.putShort((short) segments);
    return to.put(HEADER, sense, sense.position(), used).clear();
  }
}
