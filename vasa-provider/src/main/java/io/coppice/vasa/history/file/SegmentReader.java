package io.coppice.vasa.history.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The reading of a segment. Damage hides the chunk that it hits: without the index the chunks are
/// walked through, without one header the other serves.
final class SegmentReader implements Closeable {

  private final FileChannel channel;
  private final HistoryStep step;
  private final int @Nullable [] millis;
  private final @Nullable ByteBuffer index;
  private final long indexOffset;

  private SegmentReader(FileChannel channel, HistoryStep step, long segment) throws IOException {
    this.channel = channel;
    this.step = step;
    ByteBuffer trailer = read(channel.size() - SegmentWriter.TRAILER, SegmentWriter.TRAILER);
    ByteBuffer found = null;
    long offset = 0;
    if (trailer != null && trailer.getInt(16) == checksum(trailer.duplicate().limit(16))) {
      offset = trailer.getLong(0);
      long length = (long) trailer.getInt(8) * SegmentWriter.ENTRY;
      found = length <= channel.size() ? read(offset, (int) length) : null;
      if (found != null && trailer.getInt(12) != checksum(found.duplicate())) {
        found = null;
      }
    }
    index = found;
    indexOffset = found == null ? channel.size() : offset;
    millis = header(0, segment).or(() -> copy(segment)).orElse(null);
  }

  static SegmentReader open(Path file, HistoryStep step, long segment) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      return new SegmentReader(channel, step, segment);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private Optional<int[]> header(long offset, long segment) {
    ByteBuffer header = read(offset, SegmentHeader.length(step));
    return header == null ? Optional.empty() : SegmentHeader.decode(header, step, segment);
  }

  private Optional<int[]> copy(long segment) {
    return header(channelSize() - SegmentWriter.TRAILER - SegmentHeader.length(step), segment);
  }

  private long channelSize() {
    try {
      return channel.size();
    } catch (IOException e) {
      return 0;
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /// Bytes of the file; null if it does not have them or the device does not return them.
  private @Nullable ByteBuffer read(long offset, int length) {
    if (offset < 0 || length < 0 || offset > channelSize() - length) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, offset + bytes.position()) < 0) {
          return null;
        }
      }
    } catch (IOException e) {
      return null;
    }
    return bytes.flip();
  }

  /// The covered time of each slot in milliseconds, 0 for a gap; null if it is not known.
  int @Nullable [] millis() {
    return millis;
  }

  /// The records of a key by slots; empty slots if there are none; null if they are damaged.
  short @Nullable [] @Nullable [] find(long key) {
    if (index != null && placeOf(index, key) < 0) {
      return new short[step.rowsPerSegment()][];
    }
    return (index == null ? walk(key) : chunkAt(index, placeOf(index, key)))
        .filter(bytes -> Columns.isWhole(bytes, key))
        .flatMap(bytes -> Columns.decode(bytes, step.rowsPerSegment()))
        .orElse(null);
  }

  /// The place of a key in the index; negative if it has none.
  private static int placeOf(ByteBuffer entries, long key) {
    int low = 0;
    int high = entries.limit() / SegmentWriter.ENTRY;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.getLong(middle * SegmentWriter.ENTRY) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int place = low * SegmentWriter.ENTRY;
    return place < entries.limit() && entries.getLong(place) == key ? place : -1;
  }

  private Optional<ByteBuffer> chunkAt(ByteBuffer entries, int place) {
    long begin = entries.getLong(place + 8);
    boolean last = place + SegmentWriter.ENTRY >= entries.limit();
    long end = last ? indexOffset : entries.getLong(place + SegmentWriter.ENTRY + 8);
    return Optional.ofNullable(read(begin, Math.clamp(end - begin, -1, longest())));
  }

  private int longest() {
    return Columns.HEADER + Columns.longest(step.rowsPerSegment());
  }

  /// The chunk of a key, looked for from the first one on; empty if damage is met before. Without
  /// the index nothing proves that there is none.
  private Optional<ByteBuffer> walk(long key) {
    long offset = SegmentHeader.length(step);
    while (true) {
      ByteBuffer header = read(offset, Columns.HEADER);
      int length = header == null ? -1 : header.getInt(8);
      if (header == null || length < 0 || length > longest()) {
        return Optional.empty();
      }
      ByteBuffer chunk = read(offset, Columns.HEADER + length);
      if (chunk == null || !Columns.isWhole(chunk, header.getLong(0))) {
        return Optional.empty();
      }
      if (header.getLong(0) == key) {
        return Optional.of(chunk);
      }
      offset += Columns.HEADER + length;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
