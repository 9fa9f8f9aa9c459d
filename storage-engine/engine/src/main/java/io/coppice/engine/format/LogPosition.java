package io.coppice.engine.format;

import java.nio.ByteBuffer;

/// The position of the log, 32 bytes: where the next batch goes and what it must say.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 0 | 8 | `seq` of the next batch |
/// | 8, 12 | 4 each | zone and segment |
/// | 16 | 4 | block in the segment |
/// | 20 | 4 | header CRC of the batch before; 0 if there is none |
/// | 24, 28 | 4 each | zone (-1: none yet) and segment to follow when this zone is full |
public record LogPosition(
    long seq, int zone, int segment, int block, int previousCrc, int nextZone, int nextSegment) {

  public void encode(ByteBuffer buffer, int at) {
    buffer.putLong(at, seq);
    buffer.putInt(at + 8, zone);
    buffer.putInt(at + 12, segment);
    buffer.putInt(at + 16, block);
    buffer.putInt(at + 20, previousCrc);
    buffer.putInt(at + 24, nextZone);
    buffer.putInt(at + 28, nextSegment);
  }

  public static LogPosition decode(ByteBuffer buffer, int at) {
    return new LogPosition(
        buffer.getLong(at),
        buffer.getInt(at + 8),
        buffer.getInt(at + 12),
        buffer.getInt(at + 16),
        buffer.getInt(at + 20),
        buffer.getInt(at + 24),
        buffer.getInt(at + 28));
  }
}
