package io.coppice.vasa.history.file;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The head of a segment: which slots it has, and how much time each of them covers.
///
/// | Bytes | Content |
/// |---|---|
/// | 0–3 | `CHS1` |
/// | 4–7 | seconds of the step |
/// | 8–15 | first slot |
/// | 16–19 | slots |
/// | 20– | for each slot, milliseconds that are covered (4); 0: a gap |
/// | last 4 | CRC32C of all before |
final class SegmentHeader {

  private static final int MAGIC = 0x43485331;
  private static final int FIXED = 20;

  private SegmentHeader() {}

  static int length(HistoryStep step) {
    return FIXED + 4 * step.rowsPerSegment() + 4;
  }

  static ByteBuffer encode(HistoryStep step, long segment, int[] millis) {
    ByteBuffer header = ByteBuffer.allocate(length(step));
    header.putInt(MAGIC).putInt(step.seconds());
    header.putLong(segment * step.rowsPerSegment()).putInt(millis.length);
    for (int covered : millis) {
      header.putInt(covered);
    }
    return header.putInt(checksum(header)).flip();
  }

  private static int checksum(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.duplicate().position(0).limit(header.capacity() - 4));
    return (int) crc.getValue();
  }

  /// The covered times of a header; empty if it is damaged or that of another segment.
  static Optional<int[]> decode(ByteBuffer header, HistoryStep step, long segment) {
    int rows = step.rowsPerSegment();
    if (header.capacity() != length(step)
        || header.getInt(header.capacity() - 4) != checksum(header)
        || header.getInt(0) != MAGIC
        || header.getInt(4) != step.seconds()
        || header.getLong(8) != segment * rows
        || header.getInt(16) != rows) {
      return Optional.empty();
    }
    int[] millis = new int[rows];
    for (int i = 0; i < rows; i++) {
      millis[i] = Math.max(0, header.getInt(FIXED + 4 * i));
    }
    return Optional.of(millis);
  }
}
