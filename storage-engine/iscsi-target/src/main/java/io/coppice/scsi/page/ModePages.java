package io.coppice.scsi.page;

import io.coppice.scsi.cdb.Cdb;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Mode pages (SPC-5 §7.5, SBC-4 §6.5). Only [Control] is changeable.
public final class ModePages {

  private static final int CACHING = 0x08;
  private static final int CONTROL = 0x0a;
  private static final int INFORMATIONAL_EXCEPTIONS = 0x1c;
  private static final int ALL_PAGES = 0x3f;
  private static final int ALL_SUBPAGES = 0xff;
  private static final int[] PAGES = {CACHING, CONTROL, INFORMATIONAL_EXCEPTIONS};
  private static final int CHANGEABLE = 1;
  private static final int DEFAULT = 2;
  private static final int D_SENSE = 0x04;
  private static final int UNRESTRICTED_REORDERING = 0x10;
  private static final int SWP = 0x08;
  private static final int WRITE_PROTECT = 0x80;
  private static final int DPO_FUA = 0x10;
  private static final int LARGEST = 128;

  private ModePages() {}

  /// What the unit is.
  ///
  /// @param blocks capacity in logical blocks
  /// @param blockSizeInBytes of a logical block
  /// @param writeProtected whatever SWP says
  public record Medium(
      long blocks, int blockSizeInBytes, boolean writeProtected, Control control) {}

  /// What can be changed: bits of the Control page (SPC-5 §7.5.8).
  ///
  /// @param descriptorSense D_SENSE
  /// @param writeProtect SWP
  public record Control(boolean descriptorSense, boolean writeProtect) {

    public static final Control DEFAULT = new Control(false, false);
    private static final Control MASK = new Control(true, true);

    private static Control of(ByteBuffer page) {
      return new Control((page.get(2) & D_SENSE) != 0, (page.get(4) & SWP) != 0);
    }
  }

  /// A page as it stands, from its code on; empty for a page that we do not have.
  public static Optional<ByteBuffer> page(int code, Control control) {
    for (int page : PAGES) {
      if (page == code) {
        ByteBuffer to = ByteBuffer.allocate(LARGEST);
        put(to, page, control, false);
        return Optional.of(to.flip());
      }
    }
    return Optional.empty();
  }

  /// The control values of a page that an initiator sent.
  ///
  /// @param sent a whole page, from its code on, that changes nothing else
  public static Control changed(Control now, ByteBuffer sent) {
    return (sent.get(0) & 0x3f) == CONTROL ? Control.of(sent) : now;
  }

  /// A one for each bit of a page that may change.
  public static ByteBuffer changeable(int code) {
    ByteBuffer to = ByteBuffer.allocate(LARGEST);
    put(to, code, Control.MASK, true);
    return to.flip();
  }

  /// The reply, or empty for a page that we do not have.
  public static Optional<ByteBuffer> encode(Cdb.ModeSense request, Medium medium) {
    ByteBuffer pages = ByteBuffer.allocate(LARGEST);
    boolean any = false;
    for (int page : PAGES) {
      if (asks(request, page)) {
        boolean mask = request.pageControl() == CHANGEABLE;
        Control control = request.pageControl() == DEFAULT ? Control.DEFAULT : medium.control();
        put(pages, page, mask ? Control.MASK : control, mask);
        any = true;
      }
    }
    return any ? Optional.of(withHeader(request, medium, pages.flip())) : Optional.empty();
  }

  private static boolean asks(Cdb.ModeSense request, int page) {
    boolean pageFits = request.page() == page || request.page() == ALL_PAGES;
    return pageFits && (request.subpage() == 0 || request.subpage() == ALL_SUBPAGES);
  }

  /// @param mask a mask of changeable values, or else the page
  private static void put(ByteBuffer to, int page, Control control, boolean mask) {
    int at = to.position();
    int length = page == CACHING ? 0x12 : 0x0a;
    to.put((byte) page).put((byte) length).position(at + 2 + length);
    if (page == CONTROL) { // of the others nothing is set: WCE stays 0, an acknowledged write is
      // stable
      to.put(at + 2, (byte) (control.descriptorSense() ? D_SENSE : 0));
      to.put(at + 3, (byte) (mask ? 0 : UNRESTRICTED_REORDERING));
      to.put(at + 4, (byte) (control.writeProtect() ? SWP : 0));
    }
  }

  private static ByteBuffer withHeader(Cdb.ModeSense request, Medium medium, ByteBuffer pages) {
    int descriptor = request.noBlockDescriptor() ? 0 : request.longLba() ? 16 : 8;
    int header = request.ten() ? 8 : 4;
    ByteBuffer to = ByteBuffer.allocate(header + descriptor + pages.remaining());
    boolean protects = medium.writeProtected() || medium.control().writeProtect();
    int specific = DPO_FUA | (protects ? WRITE_PROTECT : 0);
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
