package io.coppice.scsi.parameter;

import static io.coppice.scsi.sense.AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE;
import static io.coppice.scsi.sense.AdditionalSense.TOO_MANY_SEGMENT_DESCRIPTORS;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Block device range descriptors, and the lists of POPULATE TOKEN and WRITE USING TOKEN that have
/// them (SBC-4 §5.12.2, §5.12.3, §5.59.2).
public sealed interface RangeList {

  /// A list that we refuse.
  record Refused(SenseData sense) implements RangeList {}

  /// No list: PARAMETER LIST LENGTH is 0, which is no error.
  record Nothing() implements RangeList {}

  /// POPULATE TOKEN.
  ///
  /// @param immediate IMMED
  /// @param timeoutInSeconds INACTIVITY TIMEOUT, 0 for the default
  /// @param typed RTV: `type` counts
  /// @param type ROD TYPE
  record Populate(
      boolean immediate, int timeoutInSeconds, boolean typed, int type, List<Range> ranges)
      implements RangeList {
    public Populate {
      ranges = List.copyOf(ranges);
    }
  }

  /// WRITE USING TOKEN.
  ///
  /// @param immediate IMMED
  /// @param delete DEL_TKN
  /// @param offset OFFSET INTO ROD, in blocks
  /// @param token a private copy of the 512 bytes
  record Write(boolean immediate, boolean delete, long offset, Token token, List<Range> ranges)
      implements RangeList {
    public Write {
      ranges = List.copyOf(ranges);
    }
  }

  /// A token as it came. Equal to nothing but itself, and never printed.
  final class Token {
    private final byte[] bytes;

    Token(byte[] bytes) {
      this.bytes = bytes;
    }

    /// Not a copy.
    public byte[] bytes() {
      return bytes;
    }
  }

  /// Some blocks.
  ///
  /// @param blocks 0 to 2^32 - 1
  record Range(long lba, long blocks) {}

  /// The limits of a list.
  ///
  /// @param ranges most descriptors
  /// @param blocks most blocks of all of them together
  /// @param timeoutInSeconds the longest timeout
  /// @param capacity of the unit, in blocks
  record Limits(int ranges, long blocks, int timeoutInSeconds, long capacity) {}

  int POPULATE_HEADER = 16;
  int WRITE_HEADER = 536;
  int TOKEN_LENGTH = 512;
  int RANGE_LENGTH = 16;

  /// Decodes the list of POPULATE TOKEN.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static RangeList decodePopulate(ByteBuffer list, int length, Limits limits) {
    if (length == 0) {
      return new Nothing();
    }
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (available < POPULATE_HEADER) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    int dataLength = Short.toUnsignedInt(from.getShort(0));
    if (dataLength < POPULATE_HEADER - 2 + RANGE_LENGTH) {
      return invalid(0);
    }
    long timeout = Integer.toUnsignedLong(from.getInt(4));
    if (timeout > limits.timeoutInSeconds()) {
      return invalid(4);
    }
    int descriptors = Short.toUnsignedInt(from.getShort(14));
    if (descriptors < RANGE_LENGTH) {
      return invalid(14);
    }
    boolean immediate = (from.get(2) & 0x01) != 0;
    boolean typed = (from.get(2) & 0x02) != 0;
    int end = Math.min(available, dataLength + 2);
    int use = Math.min(descriptors, end - POPULATE_HEADER);
    List<Range> ranges = ranges(from, POPULATE_HEADER, use);
    SenseData wrong = check(ranges, POPULATE_HEADER, limits);
    return wrong != null
        ? new Refused(wrong)
        : new Populate(immediate, (int) timeout, typed, from.getInt(8), ranges);
  }

  /// Decodes the list of WRITE USING TOKEN. It does not check whether the token is any good.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static RangeList decodeWrite(ByteBuffer list, int length, Limits limits) {
    if (length == 0) {
      return new Nothing();
    }
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (available < WRITE_HEADER) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    int dataLength = Short.toUnsignedInt(from.getShort(0));
    int descriptors = Short.toUnsignedInt(from.getShort(WRITE_HEADER - 2));
    if (dataLength < WRITE_HEADER - 2 + RANGE_LENGTH
        || dataLength != descriptors + WRITE_HEADER - 2) {
      return invalid(0);
    }
    int use = Math.min(descriptors, available - WRITE_HEADER);
    List<Range> ranges = ranges(from, WRITE_HEADER, use);
    SenseData wrong = check(ranges, WRITE_HEADER, limits);
    if (wrong != null) {
      return new Refused(wrong);
    }
    byte[] token = new byte[TOKEN_LENGTH];
    from.get(16, token);
    long offset = from.getLong(8);
    return new Write(
        (from.get(2) & 0x01) != 0,
        (from.get(2) & 0x02) != 0,
        offset < 0 ? Long.MAX_VALUE : offset,
        new Token(token),
        ranges);
  }

  /// The complete descriptors; the last one is ignored if it is cut short.
  private static List<Range> ranges(ByteBuffer from, int start, int length) {
    List<Range> ranges = new ArrayList<>();
    for (int at = start; at + RANGE_LENGTH <= start + length; at += RANGE_LENGTH) {
      long lba = from.getLong(at);
      ranges.add(
          new Range(lba < 0 ? Long.MAX_VALUE : lba, Integer.toUnsignedLong(from.getInt(at + 8))));
    }
    return ranges;
  }

  /// The fault of the ranges; null if there is none.
  private static @Nullable SenseData check(List<Range> ranges, int start, Limits limits) {
    if (ranges.size() > limits.ranges()) {
      return SenseData.illegalRequest(TOO_MANY_SEGMENT_DESCRIPTORS);
    }
    long sum = 0;
    for (Range range : ranges) {
      if (range.lba() > limits.capacity() || range.blocks() > limits.capacity() - range.lba()) {
        return SenseData.illegalRequest(LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
      }
      sum += range.blocks();
    }
    return sum > limits.blocks() || overlap(ranges) ? SenseData.invalidParameter(start) : null;
  }

  private static boolean overlap(List<Range> ranges) {
    List<Range> sorted =
        ranges.stream()
            .filter(range -> range.blocks() > 0)
            .sorted(Comparator.comparingLong(Range::lba))
            .toList();
    for (int i = 1; i < sorted.size(); i++) {
      Range before = sorted.get(i - 1);
      if (before.lba() + before.blocks() > sorted.get(i).lba()) {
        return true;
      }
    }
    return false;
  }

  private static Refused invalid(int index) {
    return new Refused(SenseData.invalidParameter(index));
  }
}
