package io.coppice.vasa.history.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows and segments: what comes back, what is lost with what, and what is removed.
class HistoryFilesTest {

  private static final FileBounds ROOMY = new FileBounds(1L << 40, 0);
  private static final Instant BEGIN = Instant.parse("2026-11-26T00:00:00Z");
  private static final long KEY = Form.TRAFFIC.key("volume:a");
  private static final long OTHER = Form.TRAFFIC.key("volume:b");
  private static final long SPACE = Form.SPACE_CHANGE.key("volume:a");
  private static final long EXACT = Form.EXACT_SPACE.key("pool");

  @TempDir private Path folder;
  private HistoryFiles files;

  @BeforeEach
  void open() throws IOException {
    files = HistoryFiles.open(folder, ROOMY);
  }

  private static short[] traffic(double reads, double latency) {
    return Record.traffic(
        new double[] {reads, 0, reads * 4096, 0, latency, 0, 0, 0, 0, 0, latency, 0});
  }

  private static Row row(long slot) {
    TreeMap<Long, short[]> records = new TreeMap<>();
    records.put(KEY, traffic(100 + slot % 7, 500));
    records.put(EXACT, Record.exact(1L << 50, slot, -1));
    if (slot % 2 == 0) {
      records.put(OTHER, traffic(10, 200));
    }
    return Row.of(10_000, records);
  }

  private long fill(Duration time) throws IOException {
    long first = HistoryStep.TEN_SECONDS.slotAt(BEGIN);
    long end = HistoryStep.TEN_SECONDS.slotAt(BEGIN.plus(time));
    for (long slot = first; slot < end; slot++) {
      assertThat(files.add(slot, row(slot))).isTrue();
      Instant now = HistoryStep.TEN_SECONDS.beginOf(slot + 1);
      files.tidy(now, now);
    }
    return first;
  }

  private static double reads(Stretch stretch, long key, int place) {
    short[] words = stretch.words(key, place);
    return words == null ? 0 : Record.figures(words)[0];
  }

  @Test
  void rowsComeBackAndIdleIsNoGap() throws IOException {
    long first = fill(Duration.ofMinutes(1));

    Stretch found =
        files.read(HistoryStep.TEN_SECONDS, List.of(KEY, OTHER, EXACT), first - 1, first + 6);

    assertThat(found.isKnown(KEY, 0)).isFalse();
    for (int i = 1; i < 7; i++) {
      long slot = first - 1 + i;
      assertThat(found.isKnown(OTHER, i)).isTrue();
      assertThat(reads(found, KEY, i)).isCloseTo(100 + slot % 7, within(0.5));
      assertThat(found.words(OTHER, i) == null).isEqualTo(slot % 2 != 0);
      assertThat(Record.exact(found.words(EXACT, i), 0)).isEqualTo(1L << 50);
      assertThat(Record.exact(found.words(EXACT, i), 1)).isEqualTo(slot);
      assertThat(Record.exact(found.words(EXACT, i), 2)).isEqualTo(-1);
    }
  }

  @Test
  void longerStepsAreMeansOverAllTheirTimeAndKeepTheWorst() throws IOException {
    long first = HistoryStep.TEN_SECONDS.slotAt(BEGIN);
    TreeMap<Long, short[]> busy = new TreeMap<>();
    busy.put(KEY, traffic(60, 1000));
    busy.put(SPACE, Record.change((short) 20, (short) 20, (short) 10, (short) 10));
    TreeMap<Long, short[]> calm = new TreeMap<>();
    calm.put(KEY, traffic(20, 200));
    calm.put(SPACE, Record.change((short) 30, (short) 25, (short) 20, (short) 20));
    files.add(first, Row.of(10_000, busy));
    files.add(first + 2, Row.of(10_000, calm));
    files.add(first + 3, Row.of(20_000, new TreeMap<>()));
    Instant now = BEGIN.plusSeconds(60);

    files.tidy(now, now);

    long minute = HistoryStep.MINUTE.slotAt(BEGIN);
    Stretch found = files.read(HistoryStep.MINUTE, List.of(KEY, SPACE), minute, minute + 1);
    double[] figures = Record.figures(found.words(KEY, 0));
    assertThat(found.millis(0)).isEqualTo(40_000);
    assertThat(figures[0]).isCloseTo((60 * 10 + 20 * 10) / 40.0, within(0.2));
    assertThat(figures[4]).isCloseTo((1000 * 600 + 200 * 200) / 800.0, within(8.0));
    assertThat(figures[10]).isCloseTo(1000, within(10.0));
    assertThat(found.words(SPACE, 0)).startsWith((short) 30, (short) 25, (short) 10, (short) 10);
  }

  @Test
  void segmentsSayWhatTheirRowsSaid() throws IOException {
    long first = HistoryStep.MINUTE.slotAt(BEGIN);
    for (long slot = first; slot < first + 60; slot++) {
      if (slot != first + 30) {
        files.add(HistoryStep.MINUTE, slot, row(slot));
      }
    }
    Stretch before = files.read(HistoryStep.MINUTE, List.of(KEY, OTHER, EXACT), first, first + 60);
    Instant now = BEGIN.plus(Duration.ofHours(1));

    files.tidy(now, now);

    assertThat(names("1m")).containsExactly(first / 60 + ".segment");
    for (HistoryFiles reader : List.of(files, HistoryFiles.open(folder, ROOMY))) {
      Stretch after =
          reader.read(HistoryStep.MINUTE, List.of(KEY, OTHER, EXACT), first, first + 60);
      assertSame(before, after);
      assertThat(after.isKnown(KEY, 30)).isFalse();
      Stretch part = reader.read(HistoryStep.MINUTE, List.of(KEY), first + 10, first + 12);
      assertThat(part.words(KEY, 1)).isEqualTo(before.words(KEY, 11));
      Stretch around = reader.read(HistoryStep.MINUTE, List.of(KEY), first - 10, first + 70);
      assertThat(around.words(KEY, 10)).isEqualTo(before.words(KEY, 0));
      assertThat(around.isKnown(KEY, 9)).isFalse();
    }
    assertThat(files.add(HistoryStep.MINUTE, first + 30, row(0)))
        .as("a slot of a segment stays as it is")
        .isFalse();
  }

  private static void assertSame(Stretch before, Stretch after) {
    for (int i = 0; i < before.length(); i++) {
      for (long key : List.of(KEY, OTHER, EXACT)) {
        assertThat(after.isKnown(key, i)).isEqualTo(before.isKnown(key, i));
        assertThat(after.words(key, i)).isEqualTo(before.words(key, i));
      }
    }
  }

  private List<String> names(String step) throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve(step))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void everyFlippedByteOfARowIsAGap() throws IOException {
    long slot = HistoryStep.TEN_SECONDS.slotAt(BEGIN);
    byte[] whole = row(slot).encode(HistoryStep.TEN_SECONDS, slot).array();

    assertThat(Row.decode(whole, HistoryStep.TEN_SECONDS, slot)).isPresent();
    assertThat(Row.decode(whole, HistoryStep.TEN_SECONDS, slot + 1)).isEmpty();
    assertThat(Row.decode(whole, HistoryStep.MINUTE, slot)).isEmpty();
    for (int i = 0; i < whole.length; i++) {
      for (int bit : new int[] {1, 0x80}) {
        byte[] damaged = whole.clone();
        damaged[i] ^= (byte) bit;
        assertThat(Row.decode(damaged, HistoryStep.TEN_SECONDS, slot)).as("byte " + i).isEmpty();
        Path file = Files.write(folder.resolve("row"), damaged);
        assertThat(RowCursor.open(file, HistoryStep.TEN_SECONDS, slot)).as("byte " + i).isEmpty();
      }
      byte[] cut = java.util.Arrays.copyOf(whole, i);
      assertThat(Row.decode(cut, HistoryStep.TEN_SECONDS, slot)).as("cut at " + i).isEmpty();
    }
  }

  @Test
  void everyFlippedByteOfASegmentHidesOneObjectAtMost() throws IOException {
    long first = HistoryStep.MINUTE.slotAt(BEGIN);
    for (long slot = first; slot < first + 60; slot++) {
      files.add(HistoryStep.MINUTE, slot, row(slot));
    }
    Stretch right = files.read(HistoryStep.MINUTE, List.of(KEY, OTHER, EXACT), first, first + 60);
    Instant now = BEGIN.plus(Duration.ofHours(1));
    files.tidy(now, now);
    Path file = folder.resolve("1m").resolve(first / 60 + ".segment");
    byte[] whole = Files.readAllBytes(file);

    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      Files.write(file, damaged);
      assertThat(hidden(right, first)).as("objects hidden by byte " + i).isLessThanOrEqualTo(1);
    }
    for (int length = 0; length < whole.length; length += 7) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      hidden(right, first);
    }
  }

  /// How many objects are unknown; those that are known must be right.
  private int hidden(Stretch right, long first) {
    Stretch found = files.read(HistoryStep.MINUTE, List.of(KEY, OTHER, EXACT), first, first + 60);
    int hidden = 0;
    for (long key : List.of(KEY, OTHER, EXACT)) {
      boolean known = found.isKnown(key, 0);
      hidden += known ? 0 : 1;
      for (int i = 0; i < 60 && known; i++) {
        assertThat(found.words(key, i)).isEqualTo(right.words(key, i));
      }
    }
    return hidden;
  }

  @Test
  void whatACrashLeftIsSettled() throws IOException {
    long first = HistoryStep.MINUTE.slotAt(BEGIN);
    for (long slot = first; slot < first + 60; slot++) {
      files.add(HistoryStep.MINUTE, slot, row(slot));
    }
    Path left = folder.resolve("1m").resolve(first + 5 + ".row");
    byte[] row = Files.readAllBytes(left);
    Instant now = BEGIN.plus(Duration.ofHours(1));
    files.tidy(now, now);
    Files.write(left, row); // a crash between the segment and the removal of its rows
    Files.write(folder.resolve("1m/next.tmp"), new byte[100]); // and one in the middle of a write
    Files.write(folder.resolve("1m/notes.txt"), new byte[1]);

    HistoryFiles again = HistoryFiles.open(folder, ROOMY);
    again.tidy(now, now);

    assertThat(names("1m")).containsExactly(first / 60 + ".segment", "notes.txt");
    assertThat(names("10m")).as("made from its rows before they went").hasSize(6);
  }

  @Test
  void longerRowsThatACrashPreventedAreMadeLater() throws IOException {
    long first = HistoryStep.TEN_SECONDS.slotAt(BEGIN);
    for (long slot = first; slot < first + 12; slot++) {
      files.add(slot, row(slot));
    }
    Instant now = BEGIN.plusSeconds(125);

    HistoryFiles again = HistoryFiles.open(folder, ROOMY);
    again.tidy(now, now);

    assertThat(names("1m")).hasSize(2);
  }

  @Test
  void aClockThatGoesBackChangesNothingThatIsThere() throws IOException {
    long first = fill(Duration.ofMinutes(2));
    Stretch before = files.read(HistoryStep.MINUTE, List.of(KEY), first / 6, first / 6 + 2);

    assertThat(files.add(first, Row.of(10_000, new TreeMap<>()))).isFalse();
    files.tidy(BEGIN.plusSeconds(10), BEGIN.plusSeconds(10));

    Stretch after = files.read(HistoryStep.MINUTE, List.of(KEY), first / 6, first / 6 + 2);
    assertThat(after.words(KEY, 0)).isEqualTo(before.words(KEY, 0));
    assertThat(after.words(KEY, 1)).isEqualTo(before.words(KEY, 1));
  }

  @Test
  void whatIsOverItsTimeIsRemoved() throws IOException {
    long first = fill(Duration.ofMinutes(80));

    assertThat(names("10s")).hasSize(420).doesNotContain(first + ".row");
    assertThat(names("10m")).hasSize(8);
    Instant later = BEGIN.plus(Duration.ofDays(2));
    files.tidy(later, later);
    assertThat(names("10s")).isEmpty();
    assertThat(names("1m")).isEmpty();
    assertThat(names("10m")).hasSize(1);
    assertThat(names("1h")).hasSize(2);
    Instant last = BEGIN.plus(Duration.ofDays(380));
    files.tidy(last, last);
    assertThat(names("10m")).isEmpty();
    assertThat(names("1h")).isEmpty();
    assertThat(files.bytes()).isZero();
  }

  @Test
  void theBoundRemovesTheOldestAndTheSpareStopsWriting() throws IOException {
    HistoryFiles small = HistoryFiles.open(folder, new FileBounds(2000, 0));
    long first = HistoryStep.TEN_SECONDS.slotAt(BEGIN);
    for (long slot = first; slot < first + 60; slot++) {
      small.add(slot, row(slot));
      Instant now = HistoryStep.TEN_SECONDS.beginOf(slot + 1);
      small.tidy(now, now);
      assertThat(small.bytes()).isLessThanOrEqualTo(2000);
    }
    assertThat(names("10s")).contains(first + 59 + ".row").doesNotContain(first + ".row");

    HistoryFiles full = HistoryFiles.open(folder, new FileBounds(2000, Long.MAX_VALUE));
    assertThatThrownBy(() -> full.add(first + 60, row(first + 60)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("free bytes");
  }

  @Test
  void theScaleKeepsFiguresWithinHalfAPercent() {
    for (double figure = Math.pow(2, -11.9); figure < Math.pow(2, 39.9); figure *= 1.37) {
      double back = Scale.decode(Scale.encode(figure));
      assertThat(back / figure).isBetween(0.995, 1.005);
    }
    assertThat(Scale.decode(Scale.encode(0))).isZero();
    assertThat(Scale.decode(Scale.encode(Double.MAX_VALUE))).isGreaterThan(1e12);
    assertThat(Scale.decode((short) -1)).isEqualTo(Scale.decode((short) 4095));
    assertThatThrownBy(() -> Scale.encode(-1)).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> Scale.encode(Double.NaN)).hasMessageContaining("at least 0");
  }
}
