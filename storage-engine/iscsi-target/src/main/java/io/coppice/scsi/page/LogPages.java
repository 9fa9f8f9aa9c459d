package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.util.Optional;

/// LOG SENSE pages (SPC-5 §7.3, SBC-4 §6.4): supported pages, Logical Block Provisioning, General
/// Statistics and Performance.
///
/// All parameters are binary lists. For these the kind of value asked for (PC) has no meaning.
public final class LogPages {

  public static final int SUPPORTED = 0x00;
  public static final int PROVISIONING = 0x0c;
  public static final int STATISTICS = 0x19;

  private static final int[] PAGES = {SUPPORTED, PROVISIONING, STATISTICS};
  private static final int ALL_SUBPAGES = 0xff;
  private static final int WITH_SUBPAGES = 0x40; // SPF
  private static final int NOT_SAVED = 0x80; // DS
  private static final int BINARY_LIST = 0x03;
  private static final int DEDICATED = 0x01; // SCOPE
  private static final int NOT_DEDICATED = 0x02;
  private static final int MILLI = 3; // 10^-3 s

  private LogPages() {}

  /// The counts of a unit since the provider started, and the resources that its pool has left.
  ///
  /// @param reads READ commands
  /// @param writes commands that wrote Data-Out
  /// @param blocksReceived logical blocks of Data-Out
  /// @param blocksSent logical blocks of Data-In
  public record Numbers(
      long reads, long writes, long blocksReceived, long blocksSent, Resources resources) {}

  /// The place where the unit's data is stored.
  ///
  /// @param freeBytes bytes that it may still take
  /// @param usedBytes bytes that are stored there
  /// @param dedicated whether no other unit takes space there
  public record Resources(long freeBytes, long usedBytes, boolean dedicated) {}

  /// Whether there is such a page. Its content must be asked for with numbers.
  public static boolean has(int page, int subpage) {
    return subpage == ALL_SUBPAGES && page == SUPPORTED
        || subpage == 0 && (page == SUPPORTED || page == PROVISIONING || page == STATISTICS);
  }

  /// The page from the parameter at `pointer` on.
  ///
  /// @param pointer PARAMETER POINTER, 0 to 65535
  /// @param numbers ignored by the lists of pages
  /// @param thresholdExponent 2^thresholdExponent logical blocks of 512 bytes are a threshold set
  /// @return empty if the page is not [#has] or has no parameter from there on
  public static Optional<ByteBuffer> encode(
      int page, int subpage, int pointer, Numbers numbers, int thresholdExponent) {
    if (!has(page, subpage)) {
      return Optional.empty();
    }
    return switch (page) {
      case SUPPORTED ->
          pointer > 0 ? Optional.empty() : Optional.of(supported(subpage == ALL_SUBPAGES));
      case PROVISIONING -> provisioning(pointer, numbers.resources(), thresholdExponent + 9);
      default -> statistics(pointer, numbers);
    };
  }

  private static ByteBuffer supported(boolean subpages) {
    int each = subpages ? 2 : 1;
    ByteBuffer to = ByteBuffer.allocate(4 + each * (PAGES.length + each - 1));
    to.put((byte) (subpages ? WITH_SUBPAGES : 0)).put((byte) (subpages ? ALL_SUBPAGES : 0));
    to.putShort((short) (to.capacity() - 4));
    for (int page : PAGES) {
      to.put((byte) page);
      if (subpages) {
        to.put((byte) 0);
        if (page == SUPPORTED) {
          to.put((byte) page).put((byte) ALL_SUBPAGES);
        }
      }
    }
    return to.flip();
  }

  /// Parameters 0001h, available, and 0002h, used, in threshold sets.
  private static Optional<ByteBuffer> provisioning(int pointer, Resources resources, int setShift) {
    if (pointer > 2) {
      return Optional.empty();
    }
    ByteBuffer to = ByteBuffer.allocate(4 + 2 * 12).position(4);
    if (pointer <= 1) {
      resource(to, 1, resources.freeBytes() >> setShift, resources);
    }
    resource(to, 2, resources.usedBytes() + (1L << setShift) - 1 >> setShift, resources);
    return Optional.of(finish(to, PROVISIONING));
  }

  private static void resource(ByteBuffer to, int code, long count, Resources of) {
    parameter(to, code, 8);
    to.putInt((int) Math.min(count, 0xffff_ffffL));
    to.put((byte) (of.dedicated() ? DEDICATED : NOT_DEDICATED));
    to.put((byte) 0).putShort((short) 0);
  }

  /// Parameters 0001h, commands and blocks, 0002h, idle time, and 0003h, the unit of times. Times
  /// are not measured: their fields are 0.
  private static Optional<ByteBuffer> statistics(int pointer, Numbers numbers) {
    if (pointer > 3) {
      return Optional.empty();
    }
    ByteBuffer to = ByteBuffer.allocate(4 + 68 + 12 + 12).position(4);
    if (pointer <= 1) {
      parameter(to, 1, 64);
      to.putLong(numbers.reads()).putLong(numbers.writes());
      to.putLong(numbers.blocksReceived()).putLong(numbers.blocksSent());
      to.putLong(0).putLong(0).putLong(0).putLong(0);
    }
    if (pointer <= 2) {
      parameter(to, 2, 8);
      to.putLong(0);
    }
    parameter(to, 3, 8);
    to.putInt(MILLI).putInt(1);
    return Optional.of(finish(to, STATISTICS));
  }

  private static void parameter(ByteBuffer to, int code, int length) {
    to.putShort((short) code).put((byte) BINARY_LIST).put((byte) length);
  }

  private static ByteBuffer finish(ByteBuffer page, int code) {
    int length = page.position() - 4;
    page.put(0, (byte) (NOT_SAVED | code)).put(1, (byte) 0).putShort(2, (short) length);
    return page.flip();
  }
}
