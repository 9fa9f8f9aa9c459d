package io.coppice.vasa.history.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The files of one step: rows, and the segments that have taken the place of older rows. A file
/// appears whole, by renaming. Guarded by its owner.
final class Shelf {

  private static final String ROW = ".row";
  private static final String SEGMENT = ".segment";
  private static final String BEING_WRITTEN = ".tmp";
  private static final Pattern NAME = Pattern.compile("(-?\\d{1,15})(\\.row|\\.segment)");

  private final HistoryStep step;
  private final Path folder;

  /// Sizes by slot.
  final TreeMap<Long, Long> rows = new TreeMap<>();

  /// Sizes by number.
  final TreeMap<Long, Long> segments = new TreeMap<>();

  private long bytes;

  Shelf(HistoryStep step, Path home) throws IOException {
    this.step = step;
    this.folder = OwnFiles.folder(home.resolve(step.text()));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        know(file);
      }
    }
  }

  private void know(Path file) throws IOException {
    String name = file.getFileName().toString();
    Matcher matcher = NAME.matcher(name);
    if (name.endsWith(BEING_WRITTEN)) {
      Files.delete(file);
    } else if (matcher.matches() && Files.isRegularFile(file)) {
      long size = Files.size(file);
      (matcher.group(2).equals(ROW) ? rows : segments).put(Long.parseLong(matcher.group(1)), size);
      bytes += size;
    }
  }

  HistoryStep step() {
    return step;
  }

  long bytes() {
    return bytes;
  }

  Path row(long slot) {
    return folder.resolve(slot + ROW);
  }

  Path segment(long number) {
    return folder.resolve(number + SEGMENT);
  }

  Path beingWritten() {
    return folder.resolve("next" + BEING_WRITTEN);
  }

  boolean has(long slot) {
    return rows.containsKey(slot) || isSealed(slot);
  }

  boolean isSealed(long slot) {
    return step.rowsPerSegment() > 0 && segments.containsKey(step.segmentOf(slot));
  }

  /// Writes a file that [#addRow] or [#addSegment] makes visible.
  ///
  /// @param stable whether it must outlive a loss of power
  void prepare(Row row, long slot, boolean stable) throws IOException {
    try (FileChannel channel = OwnFiles.fresh(beingWritten())) {
      var bytes = row.encode(step, slot);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (stable) {
        channel.force(true);
      }
    }
  }

  void addRow(long slot) throws IOException {
    add(rows, slot, row(slot));
  }

  /// Makes the name stable, too: the rows go right after.
  void addSegment(long number) throws IOException {
    add(segments, number, segment(number));
    try (FileChannel names = FileChannel.open(folder)) {
      names.force(true);
    }
  }

  private void add(TreeMap<Long, Long> to, long number, Path file) throws IOException {
    long size = Files.size(beingWritten());
    Files.move(
        beingWritten(),
        file,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    to.put(number, size);
    bytes += size;
  }

  void removeRow(long slot) throws IOException {
    remove(rows, slot, row(slot));
  }

  void removeSegment(long number) throws IOException {
    remove(segments, number, segment(number));
  }

  private void remove(TreeMap<Long, Long> from, long number, Path file) throws IOException {
    Files.deleteIfExists(file);
    Long size = from.remove(number);
    bytes -= size == null ? 0 : size;
  }

  /// The row of a slot; empty if there is none or it is damaged.
  Optional<Row> read(long slot) {
    if (!rows.containsKey(slot)) {
      return Optional.empty();
    }
    try {
      return Row.decode(Files.readAllBytes(row(slot)), step, slot);
    } catch (IOException e) { // it cannot be read: a gap, as if it were damaged
      return Optional.empty();
    }
  }

  /// Removes the oldest file.
  void removeOldest() throws IOException {
    boolean isRow =
        segments.isEmpty()
            || !rows.isEmpty()
                && rows.firstKey() < segments.firstKey() * Math.max(1, step.rowsPerSegment());
    if (isRow && !rows.isEmpty()) {
      removeRow(rows.firstKey());
    } else if (!segments.isEmpty()) {
      removeSegment(segments.firstKey());
    }
  }
}
