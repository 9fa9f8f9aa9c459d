package io.coppice.vasa.history.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The files of the history in one folder, with one [Shelf] for each step.
///
/// Rows of 10 s are added. When a longer slot has ended, its row is made from the rows of the
/// shorter step. Rows that fill a segment are turned around into one, so that the history of one
/// object needs no reading of all. What is over its time is removed, and beyond the bound the
/// oldest of the step that takes most.
///
/// A crash leaves nothing half done, because each step begins with what the folder holds:
///
/// 1. A row appears by renaming. Those of 10 s are not made stable: after a loss of power some are
///    missing or damaged, which the checksum shows, and they are gaps.
/// 2. A longer row is stable before the shorter ones can be removed. Until it is there, the next
///    round makes it.
/// 3. A segment is stable before its rows are removed. Rows that are left beside it are removed by
///    the next round. Not before 2: its rows may still be needed for the longer one.
///
/// One thread writes; any number reads.
public final class HistoryFiles {

  /// Rows of 10 s stay a while longer, so that an hour is whole when it is read.
  private static final long SLACK_SECONDS = 600;

  private final Path folder;
  private final FileBounds bounds;
  private final Map<HistoryStep, Shelf> shelves = new EnumMap<>(HistoryStep.class);
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  private HistoryFiles(Path folder, FileBounds bounds) throws IOException {
    this.folder = folder;
    this.bounds = bounds;
    for (HistoryStep step : HistoryStep.values()) {
      shelves.put(step, new Shelf(step, folder));
    }
  }

  /// Opens the folder and makes it if there is none. Files that are not ours are left alone.
  public static HistoryFiles open(Path folder, FileBounds bounds) throws IOException {
    return new HistoryFiles(folder, bounds);
  }

  /// Bytes of all files together.
  public long bytes() {
    return shelves.values().stream().mapToLong(Shelf::bytes).sum();
  }

  private Shelf shelf(HistoryStep step) {
    Shelf shelf = shelves.get(step);
    if (shelf == null) {
      throw new IllegalStateException("no shelf of " + step);
    }
    return shelf;
  }

  /// Adds a row of 10 s. What a slot has stays: a clock that goes back changes nothing.
  ///
  /// @return whether it was added
  /// @throws IOException if it cannot be written, or too little space is left
  public boolean add(long slot, Row row) throws IOException {
    return add(HistoryStep.TEN_SECONDS, slot, row);
  }

  /// As [#add], for any step.
  boolean add(HistoryStep step, long slot, Row row) throws IOException {
    Shelf shelf = shelf(step);
    if (shelf.has(slot)) {
      return false;
    }
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < bounds.spare()) {
      throw new IOException(
          "expected at least %d free bytes on the file system of %s, got %d"
              .formatted(bounds.spare(), folder, free));
    }
    put(shelf, slot, row, false);
    return true;
  }

  private void put(Shelf shelf, long slot, Row row, boolean stable) throws IOException {
    shelf.prepare(row, slot, stable);
    change(() -> shelf.addRow(slot));
  }

  /// A change of what the folder holds.
  private interface Change {
    void make() throws IOException;
  }

  private void change(Change change) throws IOException {
    lock.writeLock().lock();
    try {
      change.make();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// Makes the longer rows and the segments that are due, and removes what is too old or too much.
  ///
  /// @param now the clock that names the slots
  /// @param age the time that decides what is too old
  public void tidy(Instant now, Instant age) throws IOException {
    for (HistoryStep step : HistoryStep.values()) {
      HistoryStep longer = step.next().orElse(null);
      if (longer != null) {
        close(shelf(step), shelf(longer), now);
      }
    }
    for (HistoryStep step : HistoryStep.values()) {
      if (step.rowsPerSegment() > 0) {
        seal(shelf(step), now);
      }
      removeOld(shelf(step), age);
    }
    removeExcess();
  }

  private void close(Shelf from, Shelf to, Instant now) throws IOException {
    long current = to.step().slotAt(now);
    TreeSet<Long> due = new TreeSet<>();
    for (long slot : from.rows.keySet()) {
      long parent = from.step().parentOf(slot, to.step());
      if (parent < current && !to.has(parent)) {
        due.add(parent);
      }
    }
    for (long parent : due) {
      close(from, to, parent);
    }
  }

  private void close(Shelf from, Shelf to, long parent) throws IOException {
    int parts = to.step().seconds() / from.step().seconds();
    List<Row> rows = new ArrayList<>();
    for (long slot = parent * parts; slot < (parent + 1) * parts; slot++) {
      Optional<Row> row = from.read(slot);
      if (row.isPresent()) {
        rows.add(row.get());
      } else if (from.rows.containsKey(slot)) { // damaged: nobody can use it any more
        long lost = slot;
        change(() -> from.removeRow(lost));
      }
    }
    if (!rows.isEmpty()) {
      put(to, parent, Row.join(rows), true);
    }
  }

  private void seal(Shelf shelf, Instant now) throws IOException {
    long current = shelf.step().segmentOf(shelf.step().slotAt(now));
    TreeMap<Long, List<Long>> due = new TreeMap<>();
    for (long slot : shelf.rows.keySet()) {
      if (shelf.step().segmentOf(slot) < current) {
        due.computeIfAbsent(shelf.step().segmentOf(slot), _ -> new ArrayList<>()).add(slot);
      }
    }
    for (Map.Entry<Long, List<Long>> segment : due.entrySet()) {
      seal(shelf, segment.getKey(), segment.getValue());
    }
  }

  private void seal(Shelf shelf, long number, List<Long> slots) throws IOException {
    boolean isThere = shelf.segments.containsKey(number);
    if (!isThere) {
      Map<Long, Path> rows = new HashMap<>();
      slots.forEach(slot -> rows.put(slot, shelf.row(slot)));
      new SegmentWriter(shelf.step(), number).write(shelf.beingWritten(), rows);
    }
    change(
        () -> {
          if (!isThere) {
            shelf.addSegment(number);
          }
          for (long slot : slots) {
            shelf.removeRow(slot);
          }
        });
  }

  private void removeOld(Shelf shelf, Instant age) throws IOException {
    HistoryStep step = shelf.step();
    long seconds = step.kept().toSeconds() + (step == HistoryStep.TEN_SECONDS ? SLACK_SECONDS : 0);
    long oldest = step.slotAt(age.minusSeconds(seconds));
    int length = Math.max(1, step.rowsPerSegment());
    change(
        () -> {
          for (long slot : List.copyOf(shelf.rows.headMap(oldest).keySet())) {
            shelf.removeRow(slot);
          }
          for (long number : List.copyOf(shelf.segments.keySet())) {
            if ((number + 1) * length <= oldest) {
              shelf.removeSegment(number);
            }
          }
        });
  }

  private void removeExcess() throws IOException {
    while (bytes() > bounds.most()) {
      Shelf largest =
          shelves.values().stream().max(Comparator.comparingLong(Shelf::bytes)).orElseThrow();
      change(largest::removeOldest);
    }
  }

  /// Reads the records of some keys. What is missing or damaged is a gap.
  ///
  /// @param from first slot
  /// @param to the slot after the last one
  public Stretch read(HistoryStep step, Collection<Long> keys, long from, long to) {
    lock.readLock().lock();
    try {
      Stretch stretch = new Stretch(step, from, to, keys);
      Shelf shelf = shelf(step);
      for (long slot : shelf.rows.subMap(from, Math.max(from, to)).keySet()) {
        if (!shelf.isSealed(slot)) {
          shelf.read(slot).ifPresent(row -> stretch.add(slot, row));
        }
      }
      if (step.rowsPerSegment() > 0 && to > from) {
        addSegments(stretch, shelf, from, to);
      }
      return stretch;
    } finally {
      lock.readLock().unlock();
    }
  }

  private static void addSegments(Stretch stretch, Shelf shelf, long from, long to) {
    HistoryStep step = shelf.step();
    for (long number :
        shelf.segments.subMap(step.segmentOf(from), step.segmentOf(to - 1) + 1).keySet()) {
      try (SegmentReader segment = SegmentReader.open(shelf.segment(number), step, number)) {
        stretch.add(segment, number * step.rowsPerSegment());
      } catch (IOException e) { // it cannot be read: a gap, as if it were damaged
      }
    }
  }
}
