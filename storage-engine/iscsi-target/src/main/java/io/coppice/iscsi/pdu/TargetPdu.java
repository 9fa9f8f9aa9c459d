package io.coppice.iscsi.pdu;

/// A PDU that a target sends, without its data segment and without the numbers that are given when
/// it leaves: StatSN, ExpCmdSN and MaxCmdSN (RFC 7143 §11).
public sealed interface TargetPdu {

  /// The relation of the PDU's StatSN field to the connection's counter (RFC 7143 §4.2.2.2).
  enum StatusNumber {
    /// Carries a status: takes the number.
    TAKEN,
    /// Shows the next number and leaves it.
    SHOWN,
    /// The field is reserved.
    NONE
  }

  /// Most PDUs carry a status.
  default StatusNumber statusNumber() {
    return StatusNumber.TAKEN;
  }

  /// A residual count (RFC 7143 §11.4.5): what the command asked for against what was expected.
  record Residual(boolean overflow, boolean underflow, int count) {

    /// Nothing to report.
    public static final Residual NONE = new Residual(false, false, 0);

    /// @param asked bytes that the CDB asked to move
    /// @param expected bytes that the initiator expected to move
    public static Residual of(long asked, long expected) {
      if (asked == expected) {
        return NONE;
      }
      long difference = Math.min(Math.abs(asked - expected), 0xffff_ffffL);
      return new Residual(asked > expected, asked < expected, (int) difference);
    }
  }

  /// RFC 7143 §11.19, NOP-In: an answer, or with no initiator task tag a ping of ours.
  record NopIn(long lun, int initiatorTaskTag, int targetTransferTag) implements TargetPdu {
    @Override
    public StatusNumber statusNumber() {
      return initiatorTaskTag == Bhs.NO_TAG ? StatusNumber.SHOWN : StatusNumber.TAKEN;
    }
  }

  /// RFC 7143 §11.4, SCSI Response. `expDataSn`: R2T and Data-In PDUs sent for the command.
  record ScsiResponse(int initiatorTaskTag, int status, int expDataSn, Residual residual)
      implements TargetPdu {}

  /// RFC 7143 §11.6, Task Management Function Response.
  record TaskManagementResponse(int initiatorTaskTag, int response) implements TargetPdu {}

  /// RFC 7143 §11.13, Login Response. `status`: class and detail in two bytes.
  record LoginResponse(
      boolean transit,
      boolean more,
      int currentStage,
      int nextStage,
      long isid,
      int tsih,
      int initiatorTaskTag,
      int status)
      implements TargetPdu {}

  /// RFC 7143 §11.11, Text Response.
  record TextResponse(boolean last, boolean more, int initiatorTaskTag, int targetTransferTag)
      implements TargetPdu {}

  /// RFC 7143 §11.7, SCSI Data-In. With `withStatus` (the S bit) it ends the command with GOOD.
  record DataIn(
      boolean last,
      boolean withStatus,
      int initiatorTaskTag,
      int dataSn,
      int bufferOffset,
      Residual residual)
      implements TargetPdu {
    @Override
    public StatusNumber statusNumber() {
      return withStatus ? StatusNumber.TAKEN : StatusNumber.NONE;
    }
  }

  /// RFC 7143 §11.8, Ready To Transfer.
  record ReadyToTransfer(
      long lun,
      int initiatorTaskTag,
      int targetTransferTag,
      int r2tSn,
      int bufferOffset,
      int desiredLength)
      implements TargetPdu {
    @Override
    public StatusNumber statusNumber() {
      return StatusNumber.SHOWN;
    }
  }

  /// RFC 7143 §11.15, Logout Response. Times in seconds.
  record LogoutResponse(int initiatorTaskTag, int response, int time2Wait, int time2Retain)
      implements TargetPdu {}

  /// RFC 7143 §11.9, Asynchronous Message.
  record AsyncMessage(int event, int parameter1, int parameter2, int parameter3)
      implements TargetPdu {

    /// The target asks for a logout within so many seconds, in parameter 3.
    public static final int REQUESTS_LOGOUT = 1;

    /// The target drops all connections of this session; parameters 2 and 3 are Time2Wait and
    /// Time2Retain in seconds.
    public static final int DROPS_SESSION = 3;
  }

  /// RFC 7143 §11.17, Reject. Its data segment is the refused header.
  record Reject(int reason) implements TargetPdu {

    public static final int SNACK_REJECT = 0x03;
    public static final int PROTOCOL_ERROR = 0x04;
    public static final int COMMAND_NOT_SUPPORTED = 0x05;
    public static final int TOO_MANY_IMMEDIATE_COMMANDS = 0x06;
    public static final int TASK_IN_PROGRESS = 0x07;
    public static final int INVALID_PDU_FIELD = 0x09;
    public static final int OUT_OF_RESOURCES = 0x0a;
  }
}
