package io.coppice.vasa.history.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The records of all objects in one slot. What had nothing to record has none.
///
/// In its file, all numbers big-endian:
///
/// | Bytes | Content |
/// |---|---|
/// | 0–3 | `CHR1` |
/// | 4–7 | seconds of the step |
/// | 8–15 | slot |
/// | 16–19 | milliseconds that were covered, at least 1 |
/// | 20–23 | records |
/// | 24– | each record: key (8), words (2 each), by rising keys |
/// | last 4 | CRC32C of all before |
///
/// A row that is not exactly this is none: its slot is a gap.
public final class Row {

  private static final int MAGIC = 0x43485231;
  private static final int HEADER = 24;
  private static final int CHECKSUM = 4;
  private static final int RECORD = 8 + 2 * Record.WORDS;

  /// Bytes of a file without records.
  static final int SMALLEST = HEADER + CHECKSUM;

  private final int millis;
  private final long[] keys;
  private final short[] words;

  private Row(int millis, long[] keys, short[] words) {
    this.millis = millis;
    this.keys = keys;
    this.words = words;
  }

  /// @param millis how much time the records cover, at least 1
  /// @param records by their keys
  public static Row of(int millis, SortedMap<Long, short[]> records) {
    long[] keys = new long[records.size()];
    short[] words = new short[keys.length * Record.WORDS];
    int next = 0;
    for (Map.Entry<Long, short[]> record : records.entrySet()) {
      keys[next] = record.getKey();
      System.arraycopy(record.getValue(), 0, words, next * Record.WORDS, Record.WORDS);
      next++;
    }
    return new Row(Math.max(1, millis), keys, words);
  }

  int millis() {
    return millis;
  }

  /// The words of a key; null if there is no record.
  short @Nullable [] find(long key) {
    int place = Arrays.binarySearch(keys, key);
    return place < 0 ? null : words(place);
  }

  private short[] words(int place) {
    return Arrays.copyOfRange(words, place * Record.WORDS, (place + 1) * Record.WORDS);
  }

  /// One row for several slots.
  static Row join(List<Row> rows) {
    long all = rows.stream().mapToLong(Row::millis).sum();
    long[] keys =
        rows.stream().flatMapToLong(row -> LongStream.of(row.keys)).sorted().distinct().toArray();
    short[] words = new short[keys.length * Record.WORDS];
    List<short[]> parts = new ArrayList<>();
    List<Integer> millis = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      parts.clear();
      millis.clear();
      for (Row row : rows) {
        short[] part = row.find(keys[i]);
        if (part != null) {
          parts.add(part);
          millis.add(row.millis);
        }
      }
      short[] joined = Form.of(keys[i]).join(parts, millis, all);
      System.arraycopy(joined, 0, words, i * Record.WORDS, Record.WORDS);
    }
    return new Row((int) Math.min(all, Integer.MAX_VALUE), keys, words);
  }

  ByteBuffer encode(HistoryStep step, long slot) {
    ByteBuffer file = ByteBuffer.allocate(HEADER + keys.length * RECORD + CHECKSUM);
    file.putInt(MAGIC).putInt(step.seconds()).putLong(slot).putInt(millis).putInt(keys.length);
    for (int i = 0; i < keys.length; i++) {
      file.putLong(keys[i]);
      for (int word = 0; word < Record.WORDS; word++) {
        file.putShort(words[i * Record.WORDS + word]);
      }
    }
    CRC32C crc = new CRC32C();
    crc.update(file.array(), 0, file.position());
    return file.putInt((int) crc.getValue()).flip();
  }

  /// The first fields of a file.
  record Header(int magic, int seconds, long slot, int millis, int count) {

    /// Whether they are those of a row of `slot`, in a file of `size` bytes.
    boolean fits(HistoryStep step, long expected, long size) {
      return magic == MAGIC
          && seconds == step.seconds()
          && slot == expected
          && millis > 0
          && count >= 0
          && size == SMALLEST + (long) count * RECORD;
    }
  }

  /// The row of a file; empty if the file is not whole, or is that of another slot.
  static Optional<Row> decode(byte[] bytes, HistoryStep step, long slot) {
    if (!isWhole(bytes)) {
      return Optional.empty();
    }
    ByteBuffer file = ByteBuffer.wrap(bytes);
    Header header =
        new Header(file.getInt(), file.getInt(), file.getLong(), file.getInt(), file.getInt());
    return header.fits(step, slot, bytes.length)
        ? records(file, header.millis(), header.count())
        : Optional.empty();
  }

  private static boolean isWhole(byte[] bytes) {
    if (bytes.length < SMALLEST) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM);
    return ByteBuffer.wrap(bytes).getInt(bytes.length - CHECKSUM) == (int) crc.getValue();
  }

  private static Optional<Row> records(ByteBuffer file, int millis, int count) {
    long[] keys = new long[count];
    short[] words = new short[count * Record.WORDS];
    for (int i = 0; i < count; i++) {
      keys[i] = file.getLong();
      if (i > 0 && keys[i] <= keys[i - 1]) {
        return Optional.empty();
      }
      file.asShortBuffer().get(words, i * Record.WORDS, Record.WORDS);
      file.position(file.position() + 2 * Record.WORDS);
    }
    return Optional.of(new Row(millis, keys, words));
  }
}
