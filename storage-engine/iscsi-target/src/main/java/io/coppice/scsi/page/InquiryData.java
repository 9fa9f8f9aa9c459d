package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Standard INQUIRY data (SPC-5 §6.6.2).
///
/// | Component | Meaning |
/// |---|---|
/// | `peripheral` | peripheral qualifier and device type, byte 0 |
/// | `conglomerate` | LU_CONG |
/// | `vendor` | T10 VENDOR IDENTIFICATION, 1 to 8 printable ASCII characters |
/// | `product` | PRODUCT IDENTIFICATION, 1 to 16 printable ASCII characters |
/// | `revision` | PRODUCT REVISION LEVEL, 1 to 4 printable ASCII characters |
public record InquiryData(
    int peripheral, boolean conglomerate, String vendor, String product, String revision) {

  /// A connected direct access block device.
  public static final int BLOCK_DEVICE = 0x00;

  /// A connected well-known logical unit.
  public static final int WELL_KNOWN = 0x1e;

  /// Nothing is connected here, though something could be: LUN 0 (qualifier 001b, type 1Fh).
  public static final int NOT_CONNECTED = 0x3f;

  /// The device server is not capable of a logical unit here (qualifier 011b, type 1Fh).
  public static final int NOT_CAPABLE = 0x7f;

  private static final int LENGTH = 96;
  // SPC-4 and SBC-3 are what initiators know; LU_CONG, from SPC-5, is set beside them.
  private static final int SPC_4 = 0x06;
  private static final int VERSION_DESCRIPTORS = 58;

  /// SAM-5, iSCSI, SPC-4 and SBC-3, no version claimed.
  private static final int[] STANDARDS = {0x00a0, 0x0960, 0x0460, 0x04c0};

  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(LENGTH);
    to.put(0, (byte) peripheral).put(1, (byte) (conglomerate ? 0x40 : 0)).put(2, (byte) SPC_4);
    to.put(3, (byte) 0x12); // HISUP, response data format 2
    to.put(4, (byte) (LENGTH - 5));
    to.put(5, (byte) 0x38); // TPGS 11b: implicit and explicit; 3PC
    to.put(7, (byte) 0x02); // CMDQUE
    text(to, 8, 8, vendor);
    text(to, 16, 16, product);
    text(to, 32, 4, revision);
    for (int i = 0; i < STANDARDS.length; i++) {
      to.putShort(VERSION_DESCRIPTORS + 2 * i, (short) STANDARDS[i]);
    }
    return to;
  }

  private static void text(ByteBuffer to, int at, int length, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < length; i++) {
      to.put(at + i, i < bytes.length ? bytes[i] : (byte) ' ');
    }
  }
}
