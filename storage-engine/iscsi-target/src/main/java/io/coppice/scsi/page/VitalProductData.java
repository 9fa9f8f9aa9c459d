package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The other VPD pages (SPC-5 §7.7, SBC-4 §6.6).
public final class VitalProductData {

  public static final int SUPPORTED_PAGES = 0x00;
  public static final int UNIT_SERIAL_NUMBER = 0x80;
  public static final int DEVICE_IDENTIFICATION = 0x83;
  public static final int EXTENDED_INQUIRY = 0x86;
  public static final int SCSI_PORTS = 0x88;
  public static final int THIRD_PARTY_COPY = 0x8f;
  public static final int BLOCK_LIMITS = 0xb0;
  public static final int BLOCK_DEVICE_CHARACTERISTICS = 0xb1;
  public static final int LOGICAL_BLOCK_PROVISIONING = 0xb2;

  /// A threshold set is 2^11 logical blocks, 1 MiB. It is the unit in which resources are counted.
  public static final int THRESHOLD_EXPONENT = 11;

  private static final int HEADER = 4;
  private static final int BLOCK_PAGE_LENGTH = 0x3c;

  private VitalProductData() {}

  /// The Block Limits page, in logical blocks unless said otherwise.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `compareAndWrite` | MAXIMUM COMPARE AND WRITE LENGTH, 1 to 255 |
  /// | `granularity` | OPTIMAL TRANSFER LENGTH GRANULARITY and OPTIMAL UNMAP GRANULARITY |
  /// | `transfer` | MAXIMUM TRANSFER LENGTH |
  /// | `optimalTransfer` | OPTIMAL TRANSFER LENGTH |
  /// | `unmap` | MAXIMUM UNMAP LBA COUNT |
  /// | `unmapDescriptors` | MAXIMUM UNMAP BLOCK DESCRIPTOR COUNT, a number of descriptors |
  /// | `writeSame` | MAXIMUM WRITE SAME LENGTH |
  /// | `writeSameToEnd` | whether WRITE SAME of 0 blocks goes to the end: not WSNZ |
  /// | `atomic` | MAXIMUM ATOMIC TRANSFER LENGTH |
  /// | `atomicGranularity` | ATOMIC ALIGNMENT and ATOMIC TRANSFER LENGTH GRANULARITY |
  public record BlockLimits(
      int compareAndWrite,
      int granularity,
      int transfer,
      int optimalTransfer,
      int unmap,
      int unmapDescriptors,
      int writeSame,
      boolean writeSameToEnd,
      int atomic,
      int atomicGranularity) {}

  /// Page 00h.
  ///
  /// @param codes in ascending order
  public static ByteBuffer supportedPages(int... codes) {
    ByteBuffer to = page(SUPPORTED_PAGES, codes.length);
    for (int i = 0; i < codes.length; i++) {
      to.put(HEADER + i, (byte) codes[i]);
    }
    return to;
  }

  /// Page 80h.
  public static ByteBuffer unitSerialNumber(String number) {
    byte[] bytes = number.getBytes(StandardCharsets.US_ASCII);
    return page(UNIT_SERIAL_NUMBER, bytes.length).put(HEADER, bytes);
  }

  /// Page 86h (SPC-5 §7.7.7): no protection information, no volatile and no non-volatile cache;
  /// SIMPLE, ORDERED and HEAD OF QUEUE tasks.
  public static ByteBuffer extendedInquiry() {
    return page(EXTENDED_INQUIRY, BLOCK_PAGE_LENGTH).put(5, (byte) 0x07);
  }

  /// Page B0h (SBC-4 §6.6.4). An atomic write has no boundary.
  public static ByteBuffer blockLimits(BlockLimits limits) {
    ByteBuffer to = page(BLOCK_LIMITS, BLOCK_PAGE_LENGTH);
    to.put(4, (byte) (limits.writeSameToEnd() ? 0 : 1)).put(5, (byte) limits.compareAndWrite());
    to.putShort(6, (short) limits.granularity());
    to.putInt(8, limits.transfer()).putInt(12, limits.optimalTransfer());
    to.putInt(16, limits.transfer());
    to.putInt(20, limits.unmap()).putInt(24, limits.unmapDescriptors());
    to.putInt(28, limits.granularity()).putInt(32, 0x8000_0000);
    to.putLong(36, limits.writeSame()).putInt(44, limits.atomic());
    return to.putInt(48, limits.atomicGranularity()).putInt(52, limits.atomicGranularity());
  }

  /// Page B1h (SBC-4 §6.6.2): a medium that does not rotate.
  public static ByteBuffer blockDeviceCharacteristics() {
    return page(BLOCK_DEVICE_CHARACTERISTICS, BLOCK_PAGE_LENGTH).putShort(4, (short) 1);
  }

  /// Page B2h (SBC-4 §6.6.7): LBPU, LBPWS, LBPWS10, LBPRZ = 001b. The exponent is the unit of log
  /// page 0Ch and of the threshold in mode page 1Ch/02h.
  ///
  /// @param thin thin provisioned, without anchored blocks; otherwise resource provisioned with
  ///   them
  public static ByteBuffer logicalBlockProvisioning(boolean thin) {
    return page(LOGICAL_BLOCK_PROVISIONING, 4)
        .put(4, (byte) THRESHOLD_EXPONENT)
        .put(5, (byte) (thin ? 0xe4 : 0xe6))
        .put(6, (byte) (thin ? 0x02 : 0x01));
  }

  private static ByteBuffer page(int code, int length) {
    return ByteBuffer.allocate(HEADER + length).put(1, (byte) code).putShort(2, (short) length);
  }
}
