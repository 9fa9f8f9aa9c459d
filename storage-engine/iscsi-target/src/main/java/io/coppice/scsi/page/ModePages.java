package io.coppice.scsi.page;

import io.coppice.scsi.cdb.Cdb;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The mode pages (SPC-5 §7.5, SBC-4 §6.5). Only [Control] is changeable.
public final class ModePages {

  /// The pages, in the order of their codes.
  public enum Page {
    ERROR_RECOVERY(0x01, 0, 0x0a),
    CACHING(0x08, 0, 0x12),
    CONTROL(0x0a, 0, 0x0a),
    INFORMATIONAL_EXCEPTIONS(0x1c, 0, 0x0a),
    LOGICAL_BLOCK_PROVISIONING(0x1c, 0x02, THRESHOLD_DESCRIPTOR + 8 - 4);

    private final int code;
    private final int subpage;
    private final int length;

    Page(int code, int subpage, int length) {
      this.code = code;
      this.subpage = subpage;
      this.length = length;
    }

    public int code() {
      return code;
    }

    public int subpage() {
      return subpage;
    }
  }

  /// Byte of the Logical Block Provisioning page at which its only threshold descriptor begins.
  public static final int THRESHOLD_DESCRIPTOR = 16;

  private static final int ALL_PAGES = 0x3f;
  private static final int ALL_SUBPAGES = 0xff;
  private static final int SUBPAGE_FORMAT = 0x40; // SPF
  private static final int CHANGEABLE = 1;
  private static final int DEFAULT = 2;
  private static final int LBPERE = 0x80;
  private static final int ENABLED = 0x80;
  private static final int AVAILABLE_RESOURCES = 0x01; // parameter code of log page 0Ch
  private static final int D_SENSE = 0x04;
  private static final int UNRESTRICTED_REORDERING = 0x10;
  private static final int SWP = 0x08;
  private static final int WRITE_PROTECT = 0x80;
  private static final int DPO_FUA = 0x10;
  private static final int LARGEST = 128;

  private ModePages() {}

  /// The medium of the unit.
  ///
  /// @param blocks capacity in logical blocks
  /// @param blockSizeInBytes of a logical block
  /// @param writeProtected whether it is write-protected, whatever SWP says
  public record Medium(long blocks, int blockSizeInBytes, boolean writeProtected, Values values) {}

  /// The values that differ from unit to unit and from time to time.
  public record Values(Control control, Threshold threshold) {

    /// Nothing set, no threshold.
    public static final Values DEFAULT = new Values(Control.DEFAULT, Threshold.NONE);
  }

  /// The values that can be changed: bits of the Control page (SPC-5 §7.5.8).
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

  /// The soft threshold of the space available to the unit (SBC-4 §6.5.9), an armed decreasing one.
  /// If it is enabled, so are notifications (LBPERE of the Read-Write Error Recovery page), and all
  /// nexuses get them (SITUA = 0).
  ///
  /// @param count THRESHOLD COUNT in threshold sets, 0 to 2^32 - 1
  public record Threshold(boolean enabled, long count) {

    public static final Threshold NONE = new Threshold(false, 0);
  }

  /// A page as it stands, from its code on; empty for a page that we do not have.
  public static Optional<ByteBuffer> page(int code, int subpage, Values values) {
    for (Page page : Page.values()) {
      if (page.code == code && page.subpage == subpage) {
        ByteBuffer to = ByteBuffer.allocate(LARGEST);
        put(to, page, values, false);
        return Optional.of(to.flip());
      }
    }
    return Optional.empty();
  }

  /// The control values of a page that an initiator sent.
  ///
  /// @param sent a whole page, from its code on, that changes nothing else
  public static Control changed(Control now, ByteBuffer sent) {
    return (sent.get(0) & (0x3f | SUBPAGE_FORMAT)) == Page.CONTROL.code ? Control.of(sent) : now;
  }

  /// A one for each bit of a page that may change, 0 in its header.
  ///
  /// @param page as [#page] gave it
  public static ByteBuffer changeable(ByteBuffer page) {
    ByteBuffer mask = ByteBuffer.allocate(page.remaining());
    if (page.get(0) == Page.CONTROL.code) {
      put(mask, Page.CONTROL, new Values(Control.MASK, Threshold.NONE), true);
    }
    return mask.clear();
  }

  /// The reply, or empty for a page that we do not have.
  public static Optional<ByteBuffer> encode(Cdb.ModeSense request, Medium medium) {
    ByteBuffer pages = ByteBuffer.allocate(LARGEST);
    boolean mask = request.pageControl() == CHANGEABLE;
    Threshold threshold = medium.values().threshold();
    Values values =
        switch (request.pageControl()) {
          case CHANGEABLE -> new Values(Control.MASK, Threshold.NONE);
          case DEFAULT -> new Values(Control.DEFAULT, threshold);
          default -> medium.values();
        };
    for (Page page : Page.values()) {
      if (asks(request, page)) {
        put(pages, page, values, mask);
      }
    }
    return pages.position() == 0
        ? Optional.empty()
        : Optional.of(withHeader(request, medium, pages.flip()));
  }

  private static boolean asks(Cdb.ModeSense request, Page page) {
    return (request.page() == page.code || request.page() == ALL_PAGES)
        && (request.subpage() == page.subpage || request.subpage() == ALL_SUBPAGES);
  }

  /// @param mask a mask of changeable values, or else the page
  private static void put(ByteBuffer to, Page page, Values values, boolean mask) {
    int at = to.position();
    if (page.subpage == 0) {
      to.put((byte) page.code).put((byte) page.length);
    } else {
      to.put((byte) (SUBPAGE_FORMAT | page.code)).put((byte) page.subpage);
      to.putShort((short) page.length);
    }
    to.position(to.position() + page.length);
    Threshold threshold = values.threshold();
    switch (page) {
      case ERROR_RECOVERY -> to.put(at + 7, (byte) (threshold.enabled() ? LBPERE : 0));
      case CONTROL -> {
        to.put(at + 2, (byte) (values.control().descriptorSense() ? D_SENSE : 0));
        to.put(at + 3, (byte) (mask ? 0 : UNRESTRICTED_REORDERING));
        to.put(at + 4, (byte) (values.control().writeProtect() ? SWP : 0));
      }
      case LOGICAL_BLOCK_PROVISIONING -> {
        to.put(at + THRESHOLD_DESCRIPTOR, (byte) (threshold.enabled() ? ENABLED : 0));
        to.put(at + THRESHOLD_DESCRIPTOR + 1, (byte) (mask ? 0 : AVAILABLE_RESOURCES));
        to.putInt(at + THRESHOLD_DESCRIPTOR + 4, (int) threshold.count());
      }
      // Nothing is set: WCE stays 0, an acknowledged write is stable.
      case CACHING, INFORMATIONAL_EXCEPTIONS -> {}
    }
  }

  private static ByteBuffer withHeader(Cdb.ModeSense request, Medium medium, ByteBuffer pages) {
    int descriptor = request.noBlockDescriptor() ? 0 : request.longLba() ? 16 : 8;
    int header = request.ten() ? 8 : 4;
    ByteBuffer to = ByteBuffer.allocate(header + descriptor + pages.remaining());
    boolean protects = medium.writeProtected() || medium.values().control().writeProtect();
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
