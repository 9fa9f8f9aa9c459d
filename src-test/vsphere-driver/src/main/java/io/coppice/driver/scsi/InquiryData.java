package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Standard INQUIRY data, SPC-5 §6.6.2. `conglomerate` is LU_CONG, `thirdPartyCopy` is 3PC.
public record InquiryData(
    int qualifier,
    int deviceType,
    boolean conglomerate,
    boolean thirdPartyCopy,
    String vendor,
    String product,
    String revision) {

  static InquiryData decode(ByteBuffer b) {
    if (b.remaining() < 36) {
      throw new IllegalArgumentException(
          "standard INQUIRY data has at least 36 bytes, got " + b.remaining());
    }
    return new InquiryData(
        (b.get(0) & 0xE0) >> 5,
        b.get(0) & 0x1F,
        (b.get(1) & 0x40) != 0,
        (b.get(5) & 0x08) != 0,
        text(b, 8, 8),
        text(b, 16, 16),
        text(b, 32, 4));
  }

  private static String text(ByteBuffer b, int offset, int length) {
    byte[] bytes = new byte[length];
    b.get(offset, bytes);
    return new String(bytes, StandardCharsets.US_ASCII).strip();
  }
}
