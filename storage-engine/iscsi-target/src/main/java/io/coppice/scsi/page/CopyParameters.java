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
