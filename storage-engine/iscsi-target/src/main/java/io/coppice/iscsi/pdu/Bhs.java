package io.coppice.iscsi.pdu;

/// The layout of the basic header segment: offsets in bytes, flags of byte 1, opcodes (RFC 7143
/// §11.2.1, Basic Header Segment).
public final class Bhs {

  /// Length of the basic header segment in bytes.
  public static final int LENGTH = 48;

  /// A task tag or transfer tag that names nothing.
  public static final int NO_TAG = 0xffffffff;

  static final int FLAGS = 1;
  static final int TOTAL_AHS_LENGTH = 4;
  static final int DATA_SEGMENT_LENGTH = 4;
  static final int LUN = 8;
  static final int INITIATOR_TASK_TAG = 16;
  static final int TARGET_TRANSFER_TAG = 20;
  static final int CMD_SN = 24;
  static final int STAT_SN = 24;
  static final int EXP_STAT_SN = 28;
  static final int EXP_CMD_SN = 28;
  static final int MAX_CMD_SN = 32;
  static final int CDB = 32;
  static final int CDB_LENGTH = 16;

  static final int IMMEDIATE = 0x40;
  static final int OPCODE_MASK = 0x3f;
  static final int FINAL = 0x80;
  static final int CONTINUE = 0x40;

  static final int NOP_OUT = 0x00;
  static final int SCSI_COMMAND = 0x01;
  static final int TASK_MANAGEMENT = 0x02;
  static final int LOGIN = 0x03;
  static final int TEXT = 0x04;
  static final int DATA_OUT = 0x05;
  static final int LOGOUT = 0x06;
  static final int SNACK = 0x10;

  static final int NOP_IN = 0x20;
  static final int SCSI_RESPONSE = 0x21;
  static final int TASK_MANAGEMENT_RESPONSE = 0x22;
  static final int LOGIN_RESPONSE = 0x23;
  static final int TEXT_RESPONSE = 0x24;
  static final int DATA_IN = 0x25;
  static final int LOGOUT_RESPONSE = 0x26;
  static final int READY_TO_TRANSFER = 0x31;
  static final int ASYNC_MESSAGE = 0x32;
  static final int REJECT = 0x3f;

  private Bhs() {}
}
