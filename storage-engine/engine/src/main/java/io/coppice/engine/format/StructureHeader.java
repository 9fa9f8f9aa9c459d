package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// The header of 48 bytes with which every structure begins.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 0 | 8 | magic: the eight letters below |
/// | 8 | 4 | format version: 1 |
/// | 12 | 4 | length in bytes, this header included |
/// | 16 | 16 | pool id |
/// | 32 | 8 | self address: where the structure belongs; finds misdirected writes. Of a node or page its address, of all others the offset in bytes on the device |
/// | 40 | 4 | CRC32C of the whole length with this field zero |
/// | 44 | 4 | zero |
///
/// | Magic | Structure |
/// |---|---|
/// | COPPBS01 | superblock |
/// | COPPTB01 | batch of the log |
/// | COPPSV01 | piece of survivors |
/// | COPPND01 | node of a map |
/// | COPPCK01 | chunk of a checkpoint's tables |
/// | COPPPG01 | page of a segment |
public final class StructureHeader {

  /// Length of the header, in bytes.
  public static final int LENGTH = 48;

  /// A superblock slot.
  public static final long SUPERBLOCK = 0x3130_5342_5050_4F43L; // "COPPBS01" read as bytes

  /// A batch of log records.
  public static final long BATCH = 0x3130_4254_5050_4F43L;

  /// A piece of what the cleaner has stored once more: blocks that survive the zones they were in.
  public static final long SURVIVORS = 0x3130_5653_5050_4F43L;

  /// A node of a map.
  public static final long NODE = 0x3130_444E_5050_4F43L;

  /// A piece of a checkpoint's tables.
  public static final long CHUNK = 0x3130_4B43_5050_4F43L;

  /// What lives in a segment of the log, and where.
  public static final long PAGE = 0x3130_4750_5050_4F43L;

  static final int VERSION_AT = 8;
  static final int LENGTH_AT = 12;
  static final int POOL_AT = 16;
  static final int SELF_AT = 32;
  static final int CRC_AT = 40;

  private StructureHeader() {}

  /// Completes the structure in bytes 0 to `length` of the buffer and returns its CRC.
  public static int seal(ByteBuffer buffer, long magic, UUID pool, long self, int length) {
    buffer.putLong(0, magic);
    buffer.putInt(VERSION_AT, PoolLayout.VERSION);
    buffer.putInt(LENGTH_AT, length);
    buffer.putLong(POOL_AT, pool.getMostSignificantBits());
    buffer.putLong(POOL_AT + 8, pool.getLeastSignificantBits());
    buffer.putLong(SELF_AT, self);
    buffer.putInt(CRC_AT, 0);
    buffer.putInt(CRC_AT + 4, 0);
    int crc = new Checksum().of(buffer, 0, length);
    buffer.putInt(CRC_AT, crc);
    return crc;
  }

  /// Whether bytes 0 on are a structure of this kind, of this pool, meant for this place, with a
  /// length between header and buffer and an intact checksum.
  public static boolean isIntact(ByteBuffer buffer, long magic, UUID pool, long self) {
    return looksLike(buffer, magic, pool, self)
        && buffer.getInt(LENGTH_AT) <= buffer.limit()
        && crcMatches(buffer);
  }

  /// As [#isIntact] without the checksum, for a buffer that may not hold all of the structure.
  public static boolean looksLike(ByteBuffer buffer, long magic, UUID pool, long self) {
    return buffer.getLong(0) == magic
        && buffer.getInt(VERSION_AT) == PoolLayout.VERSION
        && buffer.getInt(LENGTH_AT) >= LENGTH
        && poolOf(buffer).equals(pool)
        && buffer.getLong(SELF_AT) == self;
  }

  /// Length in bytes.
  public static int lengthOf(ByteBuffer buffer) {
    return buffer.getInt(LENGTH_AT);
  }

  /// The stored CRC.
  public static int crcOf(ByteBuffer buffer) {
    return buffer.getInt(CRC_AT);
  }

  static UUID poolOf(ByteBuffer buffer) {
    return new UUID(buffer.getLong(POOL_AT), buffer.getLong(POOL_AT + 8));
  }

  static boolean crcMatches(ByteBuffer buffer) {
    int stored = buffer.getInt(CRC_AT);
    buffer.putInt(CRC_AT, 0);
    int computed = new Checksum().of(buffer, 0, lengthOf(buffer));
    buffer.putInt(CRC_AT, stored);
    return stored == computed;
  }
}
