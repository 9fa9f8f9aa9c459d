package io.coppice.iscsi.command;

import java.nio.ByteBuffer;

/// Sense data for the few conditions that the transport itself reports (SPC-5 §4.5.3, Fixed format
/// sense data).
final class TransportSense {

  private static final int LENGTH = 18;

  private TransportSense() {}

  /// ILLEGAL REQUEST, INVALID FIELD IN CDB: more data than one command may bring.
  static ByteBuffer invalidFieldInCdb() {
    return fixed(0x05, 0x24, 0x00);
  }

  /// ILLEGAL REQUEST, INVALID FIELD IN COMMAND INFORMATION UNIT: the R and W bits of the PDU are
  /// not those of a command that moves data as its CDB says.
  static ByteBuffer invalidFieldInInformationUnit() {
    return fixed(0x05, 0x0e, 0x03);
  }

  /// ABORTED COMMAND, PROTOCOL SERVICE CRC ERROR: Data-Out was lost or out of order (RFC 7143
  /// §11.4.7.2, Sense Data).
  static ByteBuffer protocolServiceCrcError() {
    return fixed(0x0b, 0x47, 0x05);
  }

  /// ABORTED COMMAND, WRITE ERROR - NOT ENOUGH UNSOLICITED DATA: Data-Out did not come (RFC 7143
  /// §11.4.7.2, Sense Data: "Incorrect amount of data").
  static ByteBuffer incorrectAmountOfData() {
    return fixed(0x0b, 0x0c, 0x0d);
  }

  /// HARDWARE ERROR, INTERNAL TARGET FAILURE.
  static ByteBuffer internalFailure() {
    return fixed(0x04, 0x44, 0x00);
  }

  private static ByteBuffer fixed(int key, int code, int qualifier) {
    return ByteBuffer.allocate(LENGTH)
        .put(0, (byte) 0x70)
        .put(2, (byte) key)
        .put(7, (byte) (LENGTH - 8))
        .put(12, (byte) code)
        .put(13, (byte) qualifier);
  }
}
