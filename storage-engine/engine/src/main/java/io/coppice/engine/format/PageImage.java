package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/// The page of a segment of the log as it is stored on the device: which blocks of the segment
/// live, and where those lie that were moved. Its self address is its [BlockAddress]; it lies among
/// the nodes of maps.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 4 | segment |
/// | 52 | | the set of living blocks, the set of those that were moved, and the places of these: as [BlockBits] says |
///
/// @param alive bit i mod 64 of word i / 64: block i lives
/// @param moved likewise: block i lives and was moved
/// @param places of the moved blocks, in their order
public record PageImage(int segment, long[] alive, long[] moved, long[] places) {

  /// Most bytes of a page; what takes more stays in the tables.
  public static final int MAX_LENGTH = 16 * PoolLayout.BLOCK;

  private static final int BODY = StructureHeader.LENGTH + 4;

  /// Writes what follows the segment, as a row of the tables has it, too.
  public void encode(ByteSink out) {
    BlockBits.encode(out, alive);
    BlockBits.encode(out, moved);
    BlockBits.encodePlaces(out, places);
  }

  /// Reads what [#encode] wrote.
  ///
  /// @param blocks of a zone
  /// @throws FormatException if it is not that
  public static PageImage decode(int segment, ByteSource in, int blocks) {
    long[] alive = BlockBits.decode(in);
    long[] moved = BlockBits.decode(in);
    if (64 * alive.length != blocks || 64 * moved.length != blocks) {
      throw new FormatException(
          "expected %d blocks of segment %d, found %d that live and %d that were moved"
              .formatted(blocks, segment, 64 * alive.length, 64 * moved.length));
    }
    for (int word = 0; word < alive.length; word++) {
      if ((moved[word] & ~alive[word]) != 0) {
        throw new FormatException(
            "expected moved blocks of segment %d that live, found others".formatted(segment));
      }
    }
    int count = Arrays.stream(moved).mapToInt(Long::bitCount).sum();
    return new PageImage(segment, alive, moved, BlockBits.decodePlaces(in, count));
  }

  /// Length of a page with such bytes behind its segment.
  public static int length(byte[] bytes) {
    return BODY + bytes.length;
  }

  /// Writes a page at bytes 0 on and seals it; the CRC is in the header.
  ///
  /// @param bytes as [#encode(ByteSink)] wrote them
  public static void seal(ByteBuffer out, UUID pool, long self, int segment, byte[] bytes) {
    out.putInt(StructureHeader.LENGTH, segment);
    out.put(BODY, bytes);
    StructureHeader.seal(out, StructureHeader.PAGE, pool, self, length(bytes));
  }

  /// @param crc what the row that names the page says its CRC is
  /// @param blocks of a zone
  /// @throws FormatException if the bytes are not the page of that segment
  public static PageImage decode(
      ByteBuffer in, UUID pool, long self, int crc, int segment, int blocks) {
    if (!StructureHeader.isIntact(in, StructureHeader.PAGE, pool, self)
        || StructureHeader.crcOf(in) != crc
        || StructureHeader.lengthOf(in) < BODY
        || in.getInt(StructureHeader.LENGTH) != segment) {
      throw new FormatException(
          "expected the intact page of segment %d at %s, found none"
              .formatted(segment, BlockAddress.describe(self)));
    }
    byte[] bytes = new byte[StructureHeader.lengthOf(in) - BODY];
    in.get(BODY, bytes);
    ByteSource source = new ByteSource(bytes);
    PageImage page = decode(segment, source, blocks);
    if (!source.isEmpty()) {
      throw new FormatException("expected the end of the page of segment %d".formatted(segment));
    }
    return page;
  }
}
