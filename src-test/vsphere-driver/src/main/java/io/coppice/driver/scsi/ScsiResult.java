package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The result of a command.
///
/// `dataIn` holds the bytes received, from position 0 to its limit. `overflow` and `underflow` are
/// the residual counts of the transport in bytes, 0 when it reported none.
public record ScsiResult(
    int status, @Nullable Sense sense, ByteBuffer dataIn, long overflow, long underflow) {
  public static final int GOOD = 0x00;
  public static final int CHECK_CONDITION = 0x02;
  public static final int BUSY = 0x08;
  public static final int RESERVATION_CONFLICT = 0x18;
  public static final int TASK_SET_FULL = 0x28;

  public boolean good() {
    return status == GOOD;
  }

  /// Whether this is a unit attention, which a host answers by sending the command again.
  public boolean unitAttention() {
    return status == CHECK_CONDITION && sense != null && sense.key() == Sense.UNIT_ATTENTION;
  }

  /// This result, if it is GOOD.
  ///
  /// @throws ScsiException otherwise
  public ScsiResult requireGood(ScsiRequest request) {
    if (!good()) {
      throw new ScsiException(request, this);
    }
    return this;
  }
}
