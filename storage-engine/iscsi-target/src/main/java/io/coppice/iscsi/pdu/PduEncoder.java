package io.coppice.iscsi.pdu;

import io.netty.buffer.ByteBuf;

/// The encoder of a target's PDU as a 48-byte header.
public final class PduEncoder {

  private PduEncoder() {}

  /// The numbers of a connection and its session at the moment a PDU leaves.
  public interface Numbers {
    int statSn();

    int expCmdSn();

    int maxCmdSn();
  }

  /// Appends the header.
  ///
  /// @param dataLength bytes of data segment that follow, without padding
  public static void encode(TargetPdu pdu, int dataLength, Numbers numbers, ByteBuf into) {
    int start = into.writerIndex();
    into.writeZero(Bhs.LENGTH);
    into.setByte(start + Bhs.FLAGS, Bhs.FINAL);
    into.setInt(start + Bhs.DATA_SEGMENT_LENGTH, dataLength);
    if (pdu.statusNumber() != TargetPdu.StatusNumber.NONE) {
      into.setInt(start + Bhs.STAT_SN, numbers.statSn());
    }
    into.setInt(start + Bhs.EXP_CMD_SN, numbers.expCmdSn());
    into.setInt(start + Bhs.MAX_CMD_SN, numbers.maxCmdSn());
    switch (pdu) {
      case TargetPdu.DataIn it -> dataIn(it, start, into);
      case TargetPdu.ScsiResponse it -> scsiResponse(it, start, into);
      case TargetPdu.ReadyToTransfer it -> readyToTransfer(it, start, into);
      case TargetPdu.NopIn it -> {
        opcode(Bhs.NOP_IN, it.initiatorTaskTag(), start, into);
        into.setLong(start + Bhs.LUN, it.lun());
        into.setInt(start + Bhs.TARGET_TRANSFER_TAG, it.targetTransferTag());
      }
      case TargetPdu.TaskManagementResponse it -> {
        opcode(Bhs.TASK_MANAGEMENT_RESPONSE, it.initiatorTaskTag(), start, into);
        into.setByte(start + 2, it.response());
      }
      case TargetPdu.LoginResponse it -> loginResponse(it, start, into);
      case TargetPdu.TextResponse it -> {
        opcode(Bhs.TEXT_RESPONSE, it.initiatorTaskTag(), start, into);
        int flags = (it.last() ? Bhs.FINAL : 0) | (it.more() ? Bhs.CONTINUE : 0);
        into.setByte(start + Bhs.FLAGS, flags);
        into.setInt(start + Bhs.TARGET_TRANSFER_TAG, it.targetTransferTag());
      }
      case TargetPdu.LogoutResponse it -> {
        opcode(Bhs.LOGOUT_RESPONSE, it.initiatorTaskTag(), start, into);
        into.setByte(start + 2, it.response());
        into.setShort(start + 40, it.time2Wait());
        into.setShort(start + 42, it.time2Retain());
      }
      case TargetPdu.AsyncMessage it -> {
        opcode(Bhs.ASYNC_MESSAGE, Bhs.NO_TAG, start, into);
        into.setByte(start + 36, it.event());
        into.setShort(start + 38, it.parameter1());
        into.setShort(start + 40, it.parameter2());
        into.setShort(start + 42, it.parameter3());
      }
      case TargetPdu.Reject it -> {
        opcode(Bhs.REJECT, Bhs.NO_TAG, start, into);
        into.setByte(start + 2, it.reason());
      }
    }
  }

  private static void opcode(int opcode, int initiatorTaskTag, int start, ByteBuf into) {
    into.setByte(start, opcode);
    into.setInt(start + Bhs.INITIATOR_TASK_TAG, initiatorTaskTag);
  }

  private static void dataIn(TargetPdu.DataIn it, int start, ByteBuf into) {
    opcode(Bhs.DATA_IN, it.initiatorTaskTag(), start, into);
    int flags = (it.last() ? Bhs.FINAL : 0) | (it.withStatus() ? 0x01 : 0);
    if (it.withStatus()) {
      flags |= residualFlags(it.residual());
      into.setInt(start + 44, it.residual().count());
    }
    into.setByte(start + Bhs.FLAGS, flags);
    into.setInt(start + Bhs.TARGET_TRANSFER_TAG, Bhs.NO_TAG);
    into.setInt(start + 36, it.dataSn());
    into.setInt(start + 40, it.bufferOffset());
  }

  private static void scsiResponse(TargetPdu.ScsiResponse it, int start, ByteBuf into) {
    opcode(Bhs.SCSI_RESPONSE, it.initiatorTaskTag(), start, into);
    into.setByte(start + Bhs.FLAGS, Bhs.FINAL | residualFlags(it.residual()));
    into.setByte(start + 3, it.status());
    into.setInt(start + 36, it.expDataSn());
    into.setInt(start + 44, it.residual().count());
  }

  private static void readyToTransfer(TargetPdu.ReadyToTransfer it, int start, ByteBuf into) {
    opcode(Bhs.READY_TO_TRANSFER, it.initiatorTaskTag(), start, into);
    into.setLong(start + Bhs.LUN, it.lun());
    into.setInt(start + Bhs.TARGET_TRANSFER_TAG, it.targetTransferTag());
    into.setInt(start + 36, it.r2tSn());
    into.setInt(start + 40, it.bufferOffset());
    into.setInt(start + 44, it.desiredLength());
  }

  private static void loginResponse(TargetPdu.LoginResponse it, int start, ByteBuf into) {
    opcode(Bhs.LOGIN_RESPONSE, it.initiatorTaskTag(), start, into);
    int flags = (it.transit() ? Bhs.FINAL : 0) | (it.more() ? Bhs.CONTINUE : 0);
    into.setByte(start + Bhs.FLAGS, flags | it.currentStage() << 2 | it.nextStage());
    into.setLong(start + 8, it.isid() << 16 | it.tsih());
    into.setShort(start + 36, it.status());
  }

  private static int residualFlags(TargetPdu.Residual residual) {
    return (residual.overflow() ? 0x04 : 0) | (residual.underflow() ? 0x02 : 0);
  }
}
