package io.coppice.scsi.page;

import java.nio.ByteBuffer;

/// RECEIVE COPY OPERATING PARAMETERS parameter data (SPC-4 §6.18.4).
///
/// | Component | Meaning |
/// |---|---|
/// | `descriptors` | MAXIMUM CSCD DESCRIPTOR COUNT |
/// | `segments` | MAXIMUM SEGMENT DESCRIPTOR COUNT |
/// | `listLengthInBytes` | MAXIMUM DESCRIPTOR LIST LENGTH |
/// | `segmentLengthInBytes` | MAXIMUM SEGMENT LENGTH |
/// | `concurrent` | TOTAL CONCURRENT COPIES, 1 to 255 |
public record CopyParameters(
    int descriptors,
    int segments,
    int listLengthInBytes,
    int segmentLengthInBytes,
    int concurrent) {

  /// Block device to block device copy, and the identification descriptor.
  private static final byte[] IMPLEMENTED = {0x02, (byte) 0xe4};

  private static final int FIXED = 44;
  private static final int GRANULARITY_EXPONENT = 9;

  private static final int PAGE_HEADER = 4;
  private static final int COMMANDS = 0x0001;
  private static final int PARAMETERS = 0x0004;
  private static final int DESCRIPTORS = 0x0008;
  private static final int GENERAL = 0x8001;

  /// EXTENDED COPY (LID1); RECEIVE COPY STATUS, DATA, OPERATING PARAMETERS and FAILURE DETAILS
  /// (LID1): operation code, number of service actions, service actions.
  private static final byte[] COPY_COMMANDS = {
    (byte) 0x83, 1, 0x00, (byte) 0x84, 4, 0x00, 0x01, 0x03, 0x04
  };

  /// Third-party Copy VPD page 8Fh (SPC-5 §7.7.17): Supported Commands, Parameter Data, Supported
  /// Descriptors, General Copy Operations; each a multiple of 4 bytes.
  public ByteBuffer encodePage() {
    ByteBuffer to = ByteBuffer.allocate(PAGE_HEADER + 16 + 32 + 8 + 36);
    to.putShort((short) 0x008f).putShort((short) (to.capacity() - PAGE_HEADER));
    third(to, COMMANDS, 12).put((byte) COPY_COMMANDS.length).put(COPY_COMMANDS).putShort((short) 0);
    third(to, PARAMETERS, 28).putInt(0);
    to.putShort((short) descriptors).putShort((short) segments);
    to.putInt(listLengthInBytes).putInt(0).putInt(0).putLong(0);
    third(to, DESCRIPTORS, 4).put((byte) IMPLEMENTED.length).put(IMPLEMENTED).put((byte) 0);
    third(to, GENERAL, 32).putInt(concurrent).putInt(concurrent).putInt(segmentLengthInBytes);
    return to.put((byte) GRANULARITY_EXPONENT).put((byte) 0).rewind();
  }

  private static ByteBuffer third(ByteBuffer to, int type, int length) {
    return to.putShort((short) type).putShort((short) length);
  }

  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(FIXED + IMPLEMENTED.length);
    to.putInt(0, to.capacity() - 4).put(4, (byte) 0x01); // SNLID
    to.putShort(8, (short) descriptors).putShort(10, (short) segments);
    to.putInt(12, listLengthInBytes).putInt(16, segmentLengthInBytes);
    to.putShort(34, (short) concurrent).put(36, (byte) concurrent);
    to.put(37, (byte) GRANULARITY_EXPONENT);
    to.put(43, (byte) IMPLEMENTED.length);
    return to.put(FIXED, IMPLEMENTED);
  }
}
