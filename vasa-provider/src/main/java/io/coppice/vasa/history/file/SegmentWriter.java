package io.coppice.vasa.history.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The writing of a segment: consecutive rows of one step, turned around, so that what belongs to
/// one object stands together.
///
/// The file begins with a [SegmentHeader]. One [Columns] for each object follows, by rising keys,
/// then the index with key (8) and offset (8) of each, the header once more, and a trailer:
///
/// | Bytes | Content |
/// |---|---|
/// | 0–7 | offset of the index |
/// | 8–11 | entries of the index |
/// | 12–15 | CRC32C of the index |
/// | 16–19 | CRC32C of the trailer before |
final class SegmentWriter {

  static final int TRAILER = 20;
  static final int ENTRY = 16;

  private final HistoryStep step;
  private final long segment;

  SegmentWriter(HistoryStep step, long segment) {
    this.step = step;
    this.segment = segment;
  }

  /// Writes the file and makes it stable. A row that is damaged becomes a gap.
  ///
  /// @param rows files by their slots
  void write(Path file, Map<Long, Path> rows) throws IOException {
    @Nullable RowCursor[] cursors = new RowCursor[step.rowsPerSegment()];
    try {
      int[] millis = new int[cursors.length];
      for (Map.Entry<Long, Path> row : rows.entrySet()) {
        int place = (int) (row.getKey() - segment * step.rowsPerSegment());
        RowCursor cursor = RowCursor.open(row.getValue(), step, row.getKey()).orElse(null);
        cursors[place] = cursor;
        millis[place] = cursor == null ? 0 : cursor.millis();
      }
      write(file, cursors, SegmentHeader.encode(step, segment, millis));
    } finally {
      for (RowCursor cursor : cursors) {
        if (cursor != null) {
          cursor.close();
        }
      }
    }
  }

  private void write(Path file, @Nullable RowCursor[] cursors, ByteBuffer header)
      throws IOException {
    try (FileChannel channel = OwnFiles.fresh(file);
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 256 << 10)) {
      out.write(header.array());
      List<Long> index = writeChunks(out, cursors, header.capacity());
      ByteBuffer entries = ByteBuffer.allocate(index.size() * Long.BYTES);
      index.subList(0, index.size() - 1).forEach(entries::putLong);
      entries.flip();
      out.write(entries.array(), 0, entries.limit());
      out.write(header.array());
      out.write(trailer(index.getLast(), entries).array());
      out.flush();
      channel.force(true);
    }
  }

  private static ByteBuffer trailer(long offset, ByteBuffer entries) {
    CRC32C crc = new CRC32C();
    crc.update(entries.duplicate());
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER);
    trailer.putLong(offset).putInt(entries.limit() / ENTRY).putInt((int) crc.getValue());
    crc.reset();
    crc.update(trailer.duplicate().flip());
    return trailer.putInt((int) crc.getValue());
  }

  /// Key and offset of each chunk in turn, and the offset behind the last one.
  private static List<Long> writeChunks(OutputStream out, @Nullable RowCursor[] cursors, long begin)
      throws IOException {
    List<Long> index = new ArrayList<>();
    long offset = begin;
    short[] @Nullable [] slots = new short[cursors.length][];
    while (hasRecord(cursors)) {
      long key = smallest(cursors);
      for (int i = 0; i < cursors.length; i++) {
        RowCursor cursor = cursors[i];
        slots[i] =
            cursor != null && cursor.hasRecord() && cursor.key() == key ? cursor.take() : null;
      }
      ByteBuffer chunk = Columns.encode(key, slots);
      out.write(chunk.array(), 0, chunk.limit());
      index.add(key);
      index.add(offset);
      offset += chunk.limit();
    }
    index.add(offset);
    return index;
  }

  private static boolean hasRecord(@Nullable RowCursor[] cursors) {
    for (RowCursor cursor : cursors) {
      if (cursor != null && cursor.hasRecord()) {
        return true;
      }
    }
    return false;
  }

  private static long smallest(@Nullable RowCursor[] cursors) {
    long smallest = Long.MAX_VALUE;
    for (RowCursor cursor : cursors) {
      if (cursor != null && cursor.hasRecord()) {
        smallest = Math.min(smallest, cursor.key());
      }
    }
    return smallest;
  }
}
