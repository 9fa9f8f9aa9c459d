package io.coppice.vasa.history.file;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A place in the file of a row, which is read record by record, so that a segment of many rows
/// takes little memory.
final class RowCursor implements Closeable {

  private static final int BUFFER = 32 << 10;

  private final DataInputStream in;
  private final int millis;
  private int left;
  private long key;

  private RowCursor(DataInputStream in, int millis, int count) throws IOException {
    this.in = in;
    this.millis = millis;
    this.left = count + 1;
    advance();
  }

  /// Opens the file at its first record; empty if it is not whole.
  static Optional<RowCursor> open(Path file, HistoryStep step, long slot) throws IOException {
    long size = Files.size(file);
    if (!isWhole(file, size)) {
      return Optional.empty();
    }
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    RowCursor opened = opened(in, size, step, slot);
    if (opened == null) {
      in.close();
    }
    return Optional.ofNullable(opened);
  }

  private static @Nullable RowCursor opened(
      DataInputStream in, long size, HistoryStep step, long slot) throws IOException {
    Row.Header header =
        new Row.Header(in.readInt(), in.readInt(), in.readLong(), in.readInt(), in.readInt());
    return header.fits(step, slot, size)
        ? new RowCursor(in, header.millis(), header.count())
        : null;
  }

  private static boolean isWhole(Path file, long size) throws IOException {
    if (size < Row.SMALLEST) {
      return false;
    }
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      long rest = size - Integer.BYTES;
      while (rest > 0) {
        int got = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
        if (got < 0) {
          return false;
        }
        crc.update(buffer, 0, got);
        rest -= got;
      }
      return new DataInputStream(in).readInt() == (int) crc.getValue();
    }
  }

  int millis() {
    return millis;
  }

  boolean hasRecord() {
    return left > 0;
  }

  /// The key of the record that the cursor is at.
  long key() {
    return key;
  }

  /// The words of that record; goes on to the next one.
  short[] take() throws IOException {
    short[] words = new short[Record.WORDS];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.readShort();
    }
    advance();
    return words;
  }

  private void advance() throws IOException {
    left--;
    if (left > 0) {
      key = in.readLong();
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
