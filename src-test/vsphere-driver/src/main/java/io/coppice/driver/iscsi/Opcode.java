package io.coppice.driver.iscsi;

/// PDU opcodes and flags, RFC 7143 §11.2.
final class Opcode {
  static final int NOP_OUT = 0x00;
  static final int SCSI_COMMAND = 0x01;
  static final int TASK_MANAGEMENT = 0x02;
  static final int LOGIN = 0x03;
  static final int TEXT = 0x04;
  static final int DATA_OUT = 0x05;
  static final int LOGOUT = 0x06;
  static final int NOP_IN = 0x20;
  static final int SCSI_RESPONSE = 0x21;
  static final int TASK_MANAGEMENT_RESPONSE = 0x22;
  static final int LOGIN_RESPONSE = 0x23;
  static final int TEXT_RESPONSE = 0x24;
  static final int DATA_IN = 0x25;
  static final int LOGOUT_RESPONSE = 0x26;
  static final int R2T = 0x31;
  static final int ASYNC = 0x32;
  static final int REJECT = 0x3F;

  static final int IMMEDIATE = 0x40;
  static final int FINAL = 0x80;
  static final int NO_TAG = 0xFFFF_FFFF;

  private Opcode() {}
}
