package io.coppice.vasa.history.file;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// The records of one object in all slots of a segment, packed by columns.
///
/// Before it is deflated there is one bit for each slot that has a record. The columns follow, each
/// with the upper bytes of its words and then the lower ones. Words of [Scale] have four bits in
/// the upper byte, so figures at random take 12 bits, and figures that hardly change take few.
///
/// | Bytes | Content |
/// |---|---|
/// | 0–7 | key |
/// | 8–11 | packed bytes |
/// | 12–15 | CRC32C of the key, the length and the packed bytes |
/// | 16– | packed bytes |
final class Columns {

  static final int HEADER = 16;

  private Columns() {}

  /// @param slots each with its words, or null
  static ByteBuffer encode(long key, short[] @Nullable [] slots) {
    byte[] plain = plain(slots);
    byte[] packed = new byte[plain.length + 64];
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    int length;
    try {
      deflater.setInput(plain);
      deflater.finish();
      length = deflater.deflate(packed);
    } finally {
      deflater.end();
    }
    ByteBuffer chunk = ByteBuffer.allocate(HEADER + length);
    chunk.putLong(key).putInt(length).putInt(0).put(packed, 0, length).flip();
    return chunk.putInt(12, checksum(chunk));
  }

  private static byte[] plain(short[] @Nullable [] slots) {
    BitSet present = new BitSet(slots.length);
    for (int slot = 0; slot < slots.length; slot++) {
      present.set(slot, slots[slot] != null);
    }
    ByteBuffer plain = ByteBuffer.allocate(plainLength(slots.length, present.cardinality()));
    byte[] bits = present.toByteArray();
    plain.put(bits).position(bitBytes(slots.length));
    for (int word = 0; word < Record.WORDS; word++) {
      for (int shift = 8; shift >= 0; shift -= 8) {
        for (short @Nullable [] words : slots) {
          if (words != null) {
            plain.put((byte) (words[word] >>> shift));
          }
        }
      }
    }
    return plain.array();
  }

  private static int bitBytes(int slots) {
    return (slots + 7) / 8;
  }

  private static int plainLength(int slots, int present) {
    return bitBytes(slots) + present * Record.WORDS * 2;
  }

  private static int checksum(ByteBuffer chunk) {
    CRC32C crc = new CRC32C();
    crc.update(chunk.duplicate().limit(12).position(0));
    crc.update(chunk.duplicate().position(HEADER));
    return (int) crc.getValue();
  }

  /// Most packed bytes of a chunk.
  static int longest(int slots) {
    return plainLength(slots, slots) + 64;
  }

  /// Whether a chunk is whole and belongs to `key`.
  static boolean isWhole(ByteBuffer chunk, long key) {
    return chunk.remaining() >= HEADER
        && chunk.getLong(0) == key
        && chunk.getInt(8) == chunk.remaining() - HEADER
        && chunk.getInt(12) == checksum(chunk);
  }

  /// The slots of a chunk that is whole; empty if it is not what [#encode] makes.
  static Optional<short[] @Nullable []> decode(ByteBuffer chunk, int slots) {
    byte[] plain = new byte[plainLength(slots, slots) + 1];
    Inflater inflater = new Inflater(true);
    int length;
    try {
      inflater.setInput(chunk.duplicate().position(HEADER));
      length = inflater.inflate(plain);
    } catch (DataFormatException e) {
      return Optional.empty();
    } finally {
      inflater.end();
    }
    if (length < bitBytes(slots)) {
      return Optional.empty();
    }
    BitSet present = BitSet.valueOf(ByteBuffer.wrap(plain, 0, bitBytes(slots)));
    return present.length() <= slots && length == plainLength(slots, present.cardinality())
        ? Optional.of(columns(plain, slots, present))
        : Optional.empty();
  }

  private static short[] @Nullable [] columns(byte[] plain, int slots, BitSet present) {
    short[] @Nullable [] records = new short[slots][];
    int count = present.cardinality();
    int record = 0;
    for (int slot = present.nextSetBit(0); slot >= 0; slot = present.nextSetBit(slot + 1)) {
      short[] words = new short[Record.WORDS];
      for (int word = 0; word < Record.WORDS; word++) {
        int upper = bitBytes(slots) + 2 * word * count + record;
        words[word] = (short) (plain[upper] << 8 | Byte.toUnsignedInt(plain[upper + count]));
      }
      records[slot] = words;
      record++;
    }
    return records;
  }
}
