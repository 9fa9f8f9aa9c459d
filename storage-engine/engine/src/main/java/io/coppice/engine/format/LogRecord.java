package io.coppice.engine.format;

import java.nio.ByteBuffer;

/// A record of the log as the batch header carries it, 8-byte aligned.
///
/// Every record begins with 8 bytes: type (1), flags (1), zero (2) and length in bytes (4). The
/// length is a multiple of 8 and includes these 8 bytes.
///
/// Only WRITE and CHANGE have flags, because one such command may take several records in several
/// batches. Flag bit 0, *more*: the next record of this type continues the command, which takes
/// effect only with its last record. Flag bit 1, *continues*: this record belongs to the same
/// command as the record of its type before it. A record without this bit makes an unfinished
/// command before it void. The records of a WRITE command follow each other without a gap in the
/// volume, from the first block of the first record on. The records of a CHANGE are pieces of its
/// bytes.
///
/// Records name volumes by their number; a record of a volume that is not there (any more) is
/// skipped. Blocks of a volume are counted from 0. Payload blocks are counted from the first block
/// behind the header: payload block p of a batch that stands at block b of its segment, with a
/// header of h blocks, is block b + h + p of that segment. The rest of a record depends on its
/// type:
///
/// | Type | Fields |
/// |---|---|
/// | 1 WRITE | volume 4, blocks 4, first block 8, first payload block 4, zero 4, CRC32C of each block 4 |
/// | 2 FILL | volume 4, blocks 4, first block 8, payload block 4, its CRC32C 4: one stored block at every place; at most 1024 |
/// | 3 UNMAP | volume 4, zero 4, first block 8, blocks 8: holes from then on |
/// | 4 COPY | volume 4, source 4, first block 8, first source block 8, blocks 4, zero 4: entries and holes of the source as they are at this place of the log, all read before any is set; at most 1024 |
/// | 5 CHANGE | bytes 4, zero 4, then a [Change], or a piece of one |
/// | 6 RELOCATE | segment 4, blocks n 4, first payload block 4, zero 4, then n blocks of the segment, ascending, 4 each, then the CRC32C of each 4 |
/// | 7 MOVED | segment 4, blocks n 4, zone 4, its segment 4, first block in it 4, zero 4, then n blocks of the segment, ascending, 4 each, then the CRC32C of each 4 |
///
/// RELOCATE stores blocks of a segment once more. From this record on, each of them that is alive
/// lies in the payload, under the address that it already has. A block that is dead, or whose
/// segment is gone, is skipped. No map changes. The record needs the feature of relocation.
///
/// MOVED says the same of blocks that are stored in a zone of survivors, one behind the other from
/// the given block on. They were stable there before the record was written. The record needs the
/// feature of survivors.
public sealed interface LogRecord {

  /// Flag bits.
  int MORE = 1;

  int CONTINUES = 2;

  record Write(int volume, long firstBlock, int payloadBlock, int[] crcs, int flags)
      implements LogRecord {}

  record Fill(int volume, long firstBlock, int blocks, int payloadBlock, int crc)
      implements LogRecord {}

  record Unmap(int volume, long firstBlock, long blocks) implements LogRecord {}

  record Copy(int volume, long firstBlock, int source, long sourceBlock, int blocks)
      implements LogRecord {}

  record ChangePiece(byte[] bytes, int flags) implements LogRecord {}

  /// @param blocks of the segment, ascending; the i-th is payload block `payloadBlock` + i
  record Relocate(int segment, int payloadBlock, int[] blocks, int[] crcs) implements LogRecord {}

  /// @param blocks of the segment, ascending; the i-th is block `first` + i of `zone`
  /// @param owner the segment of that zone
  record Moved(int segment, int zone, int owner, int first, int[] blocks, int[] crcs)
      implements LogRecord {}

  /// Type numbers on the device.
  int WRITE = 1;

  int FILL = 2;
  int UNMAP = 3;
  int COPY = 4;
  int CHANGE = 5;
  int RELOCATE = 6;
  int MOVED = 7;

  /// Bytes of a WRITE record of `blocks` blocks.
  static int writeLength(int blocks) {
    return 32 + ((blocks + 1) / 2) * 8;
  }

  /// Bytes of a CHANGE record of `bytes` bytes.
  static int changeLength(int bytes) {
    return 16 + ((bytes + 7) / 8) * 8;
  }

  /// Bytes of a RELOCATE record of `blocks` blocks.
  static int relocateLength(int blocks) {
    return 24 + 8 * blocks;
  }

  /// Bytes of a MOVED record of `blocks` blocks.
  static int movedLength(int blocks) {
    return 32 + 8 * blocks;
  }

  /// Bytes of an UNMAP or FILL record.
  int SHORT_LENGTH = 32;

  /// Bytes of a COPY record.
  int COPY_LENGTH = 40;

  /// Begins a WRITE record at the buffer's position. The CRC32C of each block follows (4), then
  /// [#endWrite]: so nothing is copied for a write.
  static void beginWrite(
      ByteBuffer out, int volume, long firstBlock, int blocks, int payloadBlock, int flags) {
    begin(out, WRITE, flags, writeLength(blocks));
    out.putInt(volume).putInt(blocks).putLong(firstBlock).putInt(payloadBlock).putInt(0);
  }

  /// Ends a WRITE record behind its CRCs.
  static void endWrite(ByteBuffer out, int blocks) {
    if (blocks % 2 == 1) {
      out.putInt(0);
    }
  }

  /// Writes a FILL record at the buffer's position, like the methods below.
  static void putFill(
      ByteBuffer out, int volume, long firstBlock, int blocks, int payloadBlock, int crc) {
    begin(out, FILL, 0, SHORT_LENGTH);
    out.putInt(volume).putInt(blocks).putLong(firstBlock).putInt(payloadBlock).putInt(crc);
  }

  static void putUnmap(ByteBuffer out, int volume, long firstBlock, long blocks) {
    begin(out, UNMAP, 0, SHORT_LENGTH);
    out.putInt(volume).putInt(0).putLong(firstBlock).putLong(blocks);
  }

  static void putCopy(
      ByteBuffer out, int volume, long firstBlock, int source, long sourceBlock, int blocks) {
    begin(out, COPY, 0, COPY_LENGTH);
    out.putInt(volume).putInt(source).putLong(firstBlock).putLong(sourceBlock);
    out.putInt(blocks).putInt(0);
  }

  /// Writes a CHANGE record with `size` of the bytes, from byte `from` on.
  static void putChange(ByteBuffer out, byte[] bytes, int from, int size, int flags) {
    int end = out.position() + changeLength(size);
    begin(out, CHANGE, flags, changeLength(size));
    out.putInt(size).putInt(0).put(bytes, from, size);
    while (out.position() < end) {
      out.put((byte) 0);
    }
  }

  static void putRelocate(ByteBuffer out, int segment, int payloadBlock, int[] blocks, int[] crcs) {
    begin(out, RELOCATE, 0, relocateLength(blocks.length));
    out.putInt(segment).putInt(blocks.length).putInt(payloadBlock).putInt(0);
    putInts(out, blocks);
    putInts(out, crcs);
  }

  static void putMoved(ByteBuffer out, Moved record) {
    begin(out, MOVED, 0, movedLength(record.blocks.length));
    out.putInt(record.segment).putInt(record.blocks.length);
    out.putInt(record.zone).putInt(record.owner).putInt(record.first).putInt(0);
    putInts(out, record.blocks);
    putInts(out, record.crcs);
  }

  private static void begin(ByteBuffer out, int type, int flags, int length) {
    out.put((byte) type).put((byte) flags).putShort((short) 0).putInt(length);
  }

  private static void putInts(ByteBuffer out, int[] values) {
    for (int value : values) {
      out.putInt(value);
    }
  }

  /// Reads the record at the buffer's position and moves behind it.
  ///
  /// @throws FormatException if it is not one
  static LogRecord decode(ByteBuffer buffer) {
    int start = buffer.position();
    if (buffer.remaining() < 8) {
      throw new FormatException("expected a log record, found the end of the batch header");
    }
    int type = buffer.get(start);
    int flags = buffer.get(start + 1);
    int length = buffer.getInt(start + 4);
    if (length < 16 || length > buffer.remaining() || length % 8 != 0) {
      throw new FormatException(
          "expected a log record of 16 to %d bytes, found %d"
              .formatted(buffer.remaining(), length));
    }
    buffer.position(start + length);
    return switch (type) {
      case WRITE -> write(buffer, start, length, flags);
      case FILL -> {
        require(length, SHORT_LENGTH, "FILL");
        yield new Fill(
            buffer.getInt(start + 8),
            buffer.getLong(start + 16),
            buffer.getInt(start + 12),
            buffer.getInt(start + 24),
            buffer.getInt(start + 28));
      }
      case UNMAP -> {
        require(length, SHORT_LENGTH, "UNMAP");
        yield new Unmap(
            buffer.getInt(start + 8), buffer.getLong(start + 16), buffer.getLong(start + 24));
      }
      case COPY -> {
        require(length, COPY_LENGTH, "COPY");
        yield new Copy(
            buffer.getInt(start + 8),
            buffer.getLong(start + 16),
            buffer.getInt(start + 12),
            buffer.getLong(start + 24),
            buffer.getInt(start + 32));
      }
      case CHANGE -> change(buffer, start, length, flags);
      case RELOCATE -> relocate(buffer, start, length);
      case MOVED -> moved(buffer, start, length);
      default ->
          throw new FormatException("expected a log record type 1 to 7, found %d".formatted(type));
    };
  }

  private static void require(int length, int expected, String type) {
    if (length != expected) {
      throw new FormatException(
          "expected %s of %d bytes, found %d".formatted(type, expected, length));
    }
  }

  private static Write write(ByteBuffer buffer, int start, int length, int flags) {
    // Compared without the length of so many blocks, which may be more than an int holds.
    int blocks = length < 32 ? 0 : buffer.getInt(start + 12);
    if (blocks < 1 || blocks > length / 4 || writeLength(blocks) != length) {
      throw new FormatException(
          "expected a WRITE record of its blocks' length, found %d blocks in %d bytes"
              .formatted(blocks, length));
    }
    int[] crcs = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      crcs[i] = buffer.getInt(start + 32 + 4 * i);
    }
    return new Write(
        buffer.getInt(start + 8),
        buffer.getLong(start + 16),
        buffer.getInt(start + 24),
        crcs,
        flags);
  }

  private static Relocate relocate(ByteBuffer buffer, int start, int length) {
    int blocks = buffer.getInt(start + 12);
    if (blocks < 1 || blocks > length || relocateLength(blocks) != length) {
      throw new FormatException(
          "expected a RELOCATE record of its blocks' length, found %d blocks in %d bytes"
              .formatted(blocks, length));
    }
    return new Relocate(
        buffer.getInt(start + 8),
        buffer.getInt(start + 16),
        ints(buffer, start + 24, blocks),
        ints(buffer, start + 24 + 4 * blocks, blocks));
  }

  private static Moved moved(ByteBuffer buffer, int start, int length) {
    int blocks = length < 32 ? 0 : buffer.getInt(start + 12);
    if (blocks < 1 || blocks > length || movedLength(blocks) != length) {
      throw new FormatException(
          "expected a MOVED record of its blocks' length, found %d blocks in %d bytes"
              .formatted(blocks, length));
    }
    return new Moved(
        buffer.getInt(start + 8),
        buffer.getInt(start + 16),
        buffer.getInt(start + 20),
        buffer.getInt(start + 24),
        ints(buffer, start + 32, blocks),
        ints(buffer, start + 32 + 4 * blocks, blocks));
  }

  private static int[] ints(ByteBuffer buffer, int at, int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = buffer.getInt(at + 4 * i);
    }
    return all;
  }

  private static ChangePiece change(ByteBuffer buffer, int start, int length, int flags) {
    int size = buffer.getInt(start + 8);
    if (size < 0 || size > length || changeLength(size) != length) {
      throw new FormatException(
          "expected a CHANGE record of its bytes' length, found %d bytes in %d"
              .formatted(size, length));
    }
    byte[] bytes = new byte[size];
    buffer.get(start + 16, bytes);
    return new ChangePiece(bytes, flags);
  }
}
