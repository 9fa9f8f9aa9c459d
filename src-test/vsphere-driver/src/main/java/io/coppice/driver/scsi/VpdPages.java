package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// The layout that every vital product data page has in common.
final class VpdPages {
  private VpdPages() {}

  static void require(ByteBuffer b, int page) {
    if (b.remaining() < 4 || Byte.toUnsignedInt(b.get(1)) != page) {
      throw new IllegalArgumentException(
          "expected VPD page %02Xh, got %d bytes%s"
              .formatted(
                  page,
                  b.remaining(),
                  b.remaining() < 2 ? "" : " of page %02Xh".formatted(b.get(1))));
    }
  }
}
