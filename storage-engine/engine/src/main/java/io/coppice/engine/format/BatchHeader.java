package io.coppice.engine.format;

import java.nio.ByteBuffer;

/// The head of a batch: 128 bytes, followed by the records. Zeros pad it to whole blocks, at most
/// 16, and the payload follows. Its length, and so its CRC, leaves the payload out.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 8 | `seq`: one more than the batch before |
/// | 56 | 8 | `committedSeq`: last batch that was stable when this one was written |
/// | 64 | 4 | header CRC of the batch before; 0 in the first one |
/// | 68 | 4 | records |
/// | 72, 76 | 4 each | header and payload length, in blocks |
/// | 80, 84 | 4 each | segment and zone |
/// | 88, 92 | 4 each | zone (-1: none yet) and segment that follow this zone |
/// | 96 | 8 | fencing epoch; always 0 yet |
/// | 104 | 8 | time, milliseconds since 1970: what `created` of its records is |
/// | 112 | 16 | zero |
public record BatchHeader(
    long seq,
    long committedSeq,
    int previousCrc,
    int records,
    int headerBlocks,
    int payloadBlocks,
    Place place,
    long timeMillis) {

  /// Bytes before the first record.
  public static final int LENGTH = 128;

  /// The location of the batch, and where the log goes from its zone.
  public record Place(int segment, int zone, int nextZone, int nextSegment) {}

  /// Writes the fields; the caller seals.
  public void encode(ByteBuffer buffer) {
    buffer.putLong(48, seq);
    buffer.putLong(56, committedSeq);
    buffer.putInt(64, previousCrc);
    buffer.putInt(68, records);
    buffer.putInt(72, headerBlocks);
    buffer.putInt(76, payloadBlocks);
    buffer.putInt(80, place.segment);
    buffer.putInt(84, place.zone);
    buffer.putInt(88, place.nextZone);
    buffer.putInt(92, place.nextSegment);
    buffer.putLong(96, 0);
    buffer.putLong(104, timeMillis);
    buffer.putLong(112, 0);
    buffer.putLong(120, 0);
  }

  public static BatchHeader decode(ByteBuffer buffer) {
    return new BatchHeader(
        buffer.getLong(48),
        buffer.getLong(56),
        buffer.getInt(64),
        buffer.getInt(68),
        buffer.getInt(72),
        buffer.getInt(76),
        new Place(buffer.getInt(80), buffer.getInt(84), buffer.getInt(88), buffer.getInt(92)),
        buffer.getLong(104));
  }
}
