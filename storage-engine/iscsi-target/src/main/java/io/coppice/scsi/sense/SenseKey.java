package io.coppice.scsi.sense;

/// The sense key (SPC-5 §4.5.6).
public enum SenseKey {
  NO_SENSE(0x00),
  MEDIUM_ERROR(0x03),
  HARDWARE_ERROR(0x04),
  ILLEGAL_REQUEST(0x05),
  UNIT_ATTENTION(0x06),
  DATA_PROTECT(0x07),
  COPY_ABORTED(0x0a),
  ABORTED_COMMAND(0x0b),
  MISCOMPARE(0x0e);

  private final int code;

  SenseKey(int code) {
    this.code = code;
  }

  /// The four bits on the wire.
  public int code() {
    return code;
  }
}
