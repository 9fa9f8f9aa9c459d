package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// Builds command descriptor blocks (SPC-5, SBC-4). Lengths are in bytes unless named `blocks`.
public final class Cdbs {
  private Cdbs() {}

  public static Cdb testUnitReady() {
    return of("TEST UNIT READY", cdb(6));
  }

  public static Cdb requestSense(int allocation) {
    return of("REQUEST SENSE", cdb(6).put(0, (byte) 0x03).put(4, (byte) allocation));
  }

  public static Cdb inquiry(int allocation) {
    return of("INQUIRY", cdb(6).put(0, (byte) 0x12).putShort(3, (short) allocation));
  }

  /// INQUIRY of a vital product data page.
  public static Cdb vpd(int page, int allocation) {
    ByteBuffer b = cdb(6).put(0, (byte) 0x12).put(1, (byte) 1).put(2, (byte) page);
    return of("INQUIRY VPD %02Xh".formatted(page), b.putShort(3, (short) allocation));
  }

  /// REPORT LUNS with any SELECT REPORT value: 00h, 01h, 02h, 10h, 11h, 12h.
  public static Cdb reportLuns(int select, int allocation) {
    return of(
        "REPORT LUNS %02Xh".formatted(select),
        cdb(12).put(0, (byte) 0xA0).put(2, (byte) select).putInt(6, allocation));
  }

  public static Cdb readCapacity10() {
    return of("READ CAPACITY(10)", cdb(10).put(0, (byte) 0x25));
  }

  public static Cdb readCapacity16(int allocation) {
    return of(
        "READ CAPACITY(16)",
        cdb(16).put(0, (byte) 0x9E).put(1, (byte) 0x10).putInt(10, allocation));
  }

  public static Cdb getLbaStatus(long lba, int allocation) {
    return of(
        "GET LBA STATUS",
        cdb(16).put(0, (byte) 0x9E).put(1, (byte) 0x12).putLong(2, lba).putInt(10, allocation));
  }

  public static Cdb write10(long lba, int blocks) {
    return of("WRITE(10)", range10(0x2A, lba, blocks));
  }

  public static Cdb read16(long lba, int blocks) {
    return of("READ(16)", range16(0x88, lba, blocks));
  }

  public static Cdb write16(long lba, int blocks) {
    return of("WRITE(16)", range16(0x8A, lba, blocks));
  }

  public static Cdb synchronizeCache16(long lba, int blocks) {
    return of("SYNCHRONIZE CACHE(16)", range16(0x91, lba, blocks));
  }

  /// WRITE SAME(16); with `noDataOut` (NDOB) the blocks become zero without a data transfer.
  public static Cdb writeSame16(long lba, int blocks, boolean unmap, boolean noDataOut) {
    int flags = (unmap ? 0x08 : 0) | (noDataOut ? 0x01 : 0);
    return of("WRITE SAME(16)", range16(0x93, lba, blocks).put(1, (byte) flags));
  }

  public static Cdb unmap(int parameterListLength) {
    return of("UNMAP", cdb(10).put(0, (byte) 0x42).putShort(7, (short) parameterListLength));
  }

  /// COMPARE AND WRITE; the data-out holds `blocks` to compare, then `blocks` to write.
  public static Cdb compareAndWrite(long lba, int blocks) {
    return of(
        "COMPARE AND WRITE", cdb(16).put(0, (byte) 0x89).putLong(2, lba).put(13, (byte) blocks));
  }

  /// EXTENDED COPY(LID1).
  public static Cdb extendedCopy(int parameterListLength) {
    return of("EXTENDED COPY(LID1)", cdb(16).put(0, (byte) 0x83).putInt(10, parameterListLength));
  }

  /// POPULATE TOKEN.
  public static Cdb populateToken(int listId, int parameterListLength) {
    return of("POPULATE TOKEN", token(0x10, listId, parameterListLength));
  }

  /// WRITE USING TOKEN.
  public static Cdb writeUsingToken(int listId, int parameterListLength) {
    return of("WRITE USING TOKEN", token(0x11, listId, parameterListLength));
  }

  /// RECEIVE ROD TOKEN INFORMATION.
  public static Cdb receiveTokenInformation(int listId, int allocation) {
    ByteBuffer b = cdb(16).put(0, (byte) 0x84).put(1, (byte) 0x07).putInt(2, listId);
    return of("RECEIVE ROD TOKEN INFORMATION", b.putInt(10, allocation));
  }

  private static ByteBuffer token(int action, int listId, int parameterListLength) {
    return cdb(16)
        .put(0, (byte) 0x83)
        .put(1, (byte) action)
        .putInt(6, listId)
        .putInt(10, parameterListLength);
  }

  /// REPORT SUPPORTED OPERATION CODES, all commands.
  public static Cdb reportSupportedOperationCodes(int allocation) {
    return of(
        "REPORT SUPPORTED OPERATION CODES",
        cdb(12).put(0, (byte) 0xA3).put(1, (byte) 0x0C).putInt(6, allocation));
  }

  private static ByteBuffer range10(int code, long lba, int blocks) {
    if (lba < 0 || lba > 0xFFFF_FFFFL || blocks < 0 || blocks > 0xFFFF) {
      throw new IllegalArgumentException(
          "a 10-byte command reaches LBA 2^32-1 and 65535 blocks, got %d and %d"
              .formatted(lba, blocks));
    }
    return cdb(10).put(0, (byte) code).putInt(2, (int) lba).putShort(7, (short) blocks);
  }

  private static ByteBuffer range16(int code, long lba, int blocks) {
    return cdb(16).put(0, (byte) code).putLong(2, lba).putInt(10, blocks);
  }

  private static ByteBuffer cdb(int length) {
    return ByteBuffer.allocate(length);
  }

  private static Cdb of(String name, ByteBuffer bytes) {
    return new Cdb(name, bytes);
  }
}
