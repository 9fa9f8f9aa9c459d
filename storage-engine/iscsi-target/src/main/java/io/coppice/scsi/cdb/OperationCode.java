package io.coppice.scsi.cdb;

import java.util.HexFormat;

/// The commands that we support, with their CDB usage data (SPC-5 §6.30, REPORT SUPPORTED OPERATION
/// CODES): the operation code, the service action in its place, and a one for every bit that the
/// device server evaluates.
public enum OperationCode {
  TEST_UNIT_READY(false, -1, "000000000004"),
  REQUEST_SENSE(false, -1, "03010000ff04"),
  READ_6(true, -1, "081fffffff04"),
  WRITE_6(true, -1, "0a1fffffff04"),
  INQUIRY(false, -1, "1201ffffff04"),
  RESERVE_6(true, -1, "160000000004"),
  MODE_SELECT_6(true, -1, "15110000ff04"),
  RELEASE_6(true, -1, "170000000004"),
  MODE_SENSE_6(false, -1, "1a08ffffff04"),
  START_STOP_UNIT(true, -1, "1b010000f304"),
  READ_CAPACITY_10(true, -1, "25000000000000000004"),
  READ_10(true, -1, "28faffffffff00ffff04"),
  WRITE_10(true, -1, "2afaffffffff00ffff04"),
  WRITE_AND_VERIFY_10(true, -1, "2ef2ffffffff00ffff04"),
  VERIFY_10(true, -1, "2ff6ffffffff00ffff04"),
  PRE_FETCH_10(true, -1, "3402ffffffff00ffff04"),
  SYNCHRONIZE_CACHE_10(true, -1, "3502ffffffff00ffff04"),
  WRITE_BUFFER(true, -1, "3b1f00000000ffffff04"),
  READ_BUFFER(true, -1, "3c1f00000000ffffff04"),
  WRITE_SAME_10(true, -1, "41f8ffffffff00ffff04"),
  UNMAP(true, -1, "42010000000000ffff04"),
  LOG_SENSE(true, -1, "4d013fff00ffffffff04"),
  MODE_SELECT_10(true, -1, "55110000000000ffff04"),
  RESERVE_10(true, -1, "56120000000000000004"),
  RELEASE_10(true, -1, "57120000000000000004"),
  MODE_SENSE_10(false, -1, "5a18ffff000000ffff04"),
  PERSISTENT_RESERVE_IN_READ_KEYS(true, 0x00, "5e000000000000ffff04"),
  PERSISTENT_RESERVE_IN_READ_RESERVATION(true, 0x01, "5e010000000000ffff04"),
  PERSISTENT_RESERVE_IN_REPORT_CAPABILITIES(true, 0x02, "5e020000000000ffff04"),
  PERSISTENT_RESERVE_IN_READ_FULL_STATUS(true, 0x03, "5e030000000000ffff04"),
  PERSISTENT_RESERVE_OUT_REGISTER(true, 0x00, "5f00000000ffffffff04"),
  PERSISTENT_RESERVE_OUT_RESERVE(true, 0x01, "5f01ff0000ffffffff04"),
  PERSISTENT_RESERVE_OUT_RELEASE(true, 0x02, "5f02ff0000ffffffff04"),
  PERSISTENT_RESERVE_OUT_CLEAR(true, 0x03, "5f03000000ffffffff04"),
  PERSISTENT_RESERVE_OUT_PREEMPT(true, 0x04, "5f04ff0000ffffffff04"),
  PERSISTENT_RESERVE_OUT_PREEMPT_AND_ABORT(true, 0x05, "5f05ff0000ffffffff04"),
  PERSISTENT_RESERVE_OUT_REGISTER_AND_IGNORE_EXISTING_KEY(true, 0x06, "5f06000000ffffffff04"),
  PERSISTENT_RESERVE_OUT_REGISTER_AND_MOVE(true, 0x07, "5f07000000ffffffff04"),
  EXTENDED_COPY(true, 0x00, "83000000000000000000ffffffff0004"),
  EXTENDED_COPY_LID4(true, 0x01, "83010000000000000000ffffffff0004"),
  POPULATE_TOKEN(true, 0x10, "831000000000ffffffffffffffff0004"),
  WRITE_USING_TOKEN(true, 0x11, "831100000000ffffffffffffffff0004"),
  COPY_OPERATION_ABORT(true, 0x1c, "831cffffffff00000000000000000004"),
  RECEIVE_COPY_STATUS(true, 0x00, "8400ff00000000000000ffffffff0004"),
  RECEIVE_COPY_DATA(true, 0x01, "8401ff00000000000000ffffffff0004"),
  RECEIVE_COPY_OPERATING_PARAMETERS(true, 0x03, "84030000000000000000ffffffff0004"),
  RECEIVE_COPY_FAILURE_DETAILS(true, 0x04, "8404ff00000000000000ffffffff0004"),
  RECEIVE_COPY_STATUS_LID4(true, 0x05, "8405ffffffff00000000ffffffff0004"),
  RECEIVE_ROD_TOKEN_INFORMATION(true, 0x07, "8407ffffffff00000000ffffffff0004"),
  REPORT_ALL_ROD_TOKENS(true, 0x08, "84080000000000000000ffffffff0004"),
  READ_16(true, -1, "88faffffffffffffffffffffffff0004"),
  COMPARE_AND_WRITE(true, -1, "89faffffffffffffffff000000ff0004"),
  WRITE_16(true, -1, "8afaffffffffffffffffffffffff0004"),
  ORWRITE_16(true, -1, "8bfaffffffffffffffffffffffff0004"),
  WRITE_AND_VERIFY_16(true, -1, "8ef2ffffffffffffffffffffffff0004"),
  VERIFY_16(true, -1, "8ff6ffffffffffffffffffffffff0004"),
  PRE_FETCH_16(true, -1, "9002ffffffffffffffffffffffff0004"),
  SYNCHRONIZE_CACHE_16(true, -1, "9102ffffffffffffffffffffffff0004"),
  WRITE_SAME_16(true, -1, "93f9ffffffffffffffffffffffff0004"),
  WRITE_ATOMIC_16(true, -1, "9cf8ffffffffffffffffffffffff0004"),
  READ_CAPACITY_16(true, 0x10, "9e100000000000000000ffffffff0004"),
  GET_LBA_STATUS(true, 0x12, "9e12ffffffffffffffffffffffff0004"),
  REPORT_LUNS(false, -1, "a000ff000000ffffffff0004"),
  REPORT_TARGET_PORT_GROUPS(false, 0x0a, "a3ea00000000ffffffff0004"),
  REPORT_SUPPORTED_OPERATION_CODES(false, 0x0c, "a30c87ffffffffffffff0004"),
  REPORT_SUPPORTED_TASK_MANAGEMENT_FUNCTIONS(false, 0x0d, "a30d80000000ffffffff0004"),
  SET_TARGET_PORT_GROUPS(false, 0x0a, "a40a00000000ffffffff0004"),
  READ_12(true, -1, "a8faffffffffffffffff0004"),
  WRITE_12(true, -1, "aafaffffffffffffffff0004"),
  WRITE_AND_VERIFY_12(true, -1, "aef2ffffffffffffffff0004"),
  VERIFY_12(true, -1, "aff6ffffffffffffffff0004");

  private final boolean needsMedium;
  private final int serviceAction;
  private final byte[] usage;

  OperationCode(boolean needsMedium, int serviceAction, String usage) {
    this.needsMedium = needsMedium;
    this.serviceAction = serviceAction;
    this.usage = HexFormat.of().parseHex(usage);
  }

  /// Whether only logical units with a medium support it.
  public boolean needsMedium() {
    return needsMedium;
  }

  public int opcode() {
    return Byte.toUnsignedInt(usage[0]);
  }

  public boolean hasServiceAction() {
    return serviceAction >= 0;
  }

  /// The service action, 0 if there is none.
  public int serviceAction() {
    return Math.max(serviceAction, 0);
  }

  public int cdbLength() {
    return usage.length;
  }

  /// A private copy of the usage data.
  public byte[] usage() {
    return usage.clone();
  }
}
