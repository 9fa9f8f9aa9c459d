package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// A piece of a checkpoint's tables. Each names the one before it; the superblock names the last.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 8 | device offset of the chunk before, 0 for the first |
/// | 56, 60 | 4 each | its length and CRC32C |
/// | 64 | 4 | number of this chunk, from 0 |
/// | 68 | 4 | bytes of tables in it |
/// | 72 | | the bytes |
public final class Chunk {

  /// Bytes before the tables' bytes.
  public static final int HEADER = 72;

  private Chunk() {}

  /// Writes the chunk at bytes 0 on and returns where and what it is.
  public static Superblock.Root encode(
      ByteBuffer out, UUID pool, long self, Superblock.Root before, int number, byte[] bytes) {
    out.putLong(48, before.offset());
    out.putInt(56, before.length());
    out.putInt(60, before.crc());
    out.putInt(64, number);
    out.putInt(68, bytes.length);
    out.put(HEADER, bytes);
    int length = HEADER + bytes.length;
    int crc = StructureHeader.seal(out, StructureHeader.CHUNK, pool, self, length);
    return new Superblock.Root(self, length, crc);
  }

  /// @throws FormatException if the bytes are not the chunk that `what` says
  public static void check(ByteBuffer in, UUID pool, Superblock.Root what) {
    if (!StructureHeader.isIntact(in, StructureHeader.CHUNK, pool, what.offset())
        || StructureHeader.crcOf(in) != what.crc()
        || StructureHeader.lengthOf(in) != what.length()
        || in.getInt(68) != what.length() - HEADER) {
      throw new FormatException(
          "expected an intact piece of the checkpoint at offset %d, found none"
              .formatted(what.offset()));
    }
  }

  /// The chunk before a checked one.
  public static Superblock.Root before(ByteBuffer in) {
    return new Superblock.Root(in.getLong(48), in.getInt(56), in.getInt(60));
  }

  public static int number(ByteBuffer in) {
    return in.getInt(64);
  }

  /// The bytes of tables of a checked chunk.
  public static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt(68)];
    in.get(HEADER, bytes);
    return bytes;
  }
}
