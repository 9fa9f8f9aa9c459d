package io.coppice.scsi.page;

import io.coppice.scsi.cdb.Cdb;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Replies to MODE SENSE (SPC-5 §7.5, SBC-4 §6.5). Nothing is changeable: a mask of changeable
/// values is all zeros, and current and default values are the same.
public final class ModePages {

  private static final int CACHING = 0x08;
  private static final int CONTROL = 0x0a;
  private static final int INFORMATIONAL_EXCEPTIONS = 0x1c;
  private static final int ALL_PAGES = 0x3f;
  private static final int ALL_SUBPAGES = 0xff;
  private static final int CHANGEABLE = 1;
  private static final int WRITE_PROTECT = 0x80;
  private static final int DPO_FUA = 0x10;
  private static final int LARGEST = 128;

  private ModePages() {}

  /// What the unit is.
  ///
  /// @param blocks capacity in logical blocks
  /// @param blockSizeInBytes of a logical block
  public record Medium(long blocks, int blockSizeInBytes, boolean writeProtected) {}

  /// The reply, or empty for a page that we do not have.
  public static Optional<ByteBuffer> encode(Cdb.ModeSense request, Medium medium) {
    ByteBuffer pages = ByteBuffer.allocate(LARGEST);
    boolean any = false;
    for (int page : new int[] {CACHING, CONTROL, INFORMATIONAL_EXCEPTIONS}) {
      if (asks(request, page)) {
        put(pages, page, request.pageControl() == CHANGEABLE);
        any = true;
      }
    }
    return any ? Optional.of(withHeader(request, medium, pages.flip())) : Optional.empty();
  }

  private static boolean asks(Cdb.ModeSense request, int page) {
    boolean pageFits = request.page() == page || request.page() == ALL_PAGES;
    return pageFits && (request.subpage() == 0 || request.subpage() == ALL_SUBPAGES);
  }

  private static void put(ByteBuffer to, int page, boolean mask) {
    int at = to.position();
    int length = page == CACHING ? 0x12 : 0x0a;
    to.put((byte) page).put((byte) length).position(at + 2 + length);
    if (mask) {
      return;
    }
    switch (page) {
      // WCE stays 0: an acknowledged write is stable.
      case CONTROL ->
          to.put(at + 2, (byte) 0x00).put(at + 3, (byte) 0x10); // unrestricted reordering
      default -> {}
    }
  }

  private static ByteBuffer withHeader(Cdb.ModeSense request, Medium medium, ByteBuffer pages) {
    int descriptor = request.noBlockDescriptor() ? 0 : request.longLba() ? 16 : 8;
    int header = request.ten() ? 8 : 4;
    ByteBuffer to = ByteBuffer.allocate(header + descriptor + pages.remaining());
    int specific = DPO_FUA | (medium.writeProtected() ? WRITE_PROTECT : 0);
    if (request.ten()) {
      to.putShort((short) (to.capacity() - 2)).put((byte) 0).put((byte) specific);
      to.put((byte) (descriptor == 16 ? 1 : 0)).put((byte) 0).putShort((short) descriptor);
    } else {
      to.put((byte) (to.capacity() - 1)).put((byte) 0);
      to.put((byte) specific).put((byte) descriptor);
    }
    if (descriptor == 8) {
      to.putInt((int) Math.min(medium.blocks(), 0xffff_ffffL)).putInt(medium.blockSizeInBytes());
    } else if (descriptor == 16) {
      to.putLong(medium.blocks()).putInt(0).putInt(medium.blockSizeInBytes());
    }
    return to.put(pages).flip();
  }
}
