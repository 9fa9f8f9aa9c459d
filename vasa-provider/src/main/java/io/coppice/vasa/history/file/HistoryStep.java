package io.coppice.vasa.history.file;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// A distance between two points of the history, with the time for which such points are kept.
public enum HistoryStep {
  TEN_SECONDS("10s", 10, Duration.ofHours(1), 0),
  MINUTE("1m", 60, Duration.ofDays(1), 60),
  TEN_MINUTES("10m", 600, Duration.ofDays(30), 144),
  HOUR("1h", 3600, Duration.ofDays(365), 168);

  private final String text;
  private final int seconds;
  private final Duration kept;
  private final int rowsPerSegment;

  HistoryStep(String text, int seconds, Duration kept, int rowsPerSegment) {
    this.text = text;
    this.seconds = seconds;
    this.kept = kept;
    this.rowsPerSegment = rowsPerSegment;
  }

  /// As it is written in requests and names of folders.
  public String text() {
    return text;
  }

  public int seconds() {
    return seconds;
  }

  /// How long its points are kept at least, as long as there is room.
  public Duration kept() {
    return kept;
  }

  /// Consecutive slots that one segment holds; 0 if its rows stay rows.
  int rowsPerSegment() {
    return rowsPerSegment;
  }

  /// The number of the slot that a time lies in, counted from the epoch.
  public long slotAt(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), seconds);
  }

  /// The begin of a slot.
  public Instant beginOf(long slot) {
    return Instant.ofEpochSecond(Math.multiplyExact(slot, seconds));
  }

  /// The next longer step, if there is one.
  Optional<HistoryStep> next() {
    return ordinal() + 1 < values().length
        ? Optional.of(values()[ordinal() + 1])
        : Optional.empty();
  }

  /// The slot of the next longer step that contains a slot of this one.
  long parentOf(long slot, HistoryStep longer) {
    return Math.floorDiv(Math.multiplyExact(slot, seconds), longer.seconds);
  }

  long segmentOf(long slot) {
    return Math.floorDiv(slot, rowsPerSegment);
  }

  public static Optional<HistoryStep> parse(String text) {
    return Arrays.stream(values()).filter(step -> step.text.equals(text)).findFirst();
  }

  /// All of them as a clause, the shortest first.
  public static String choices() {
    return Arrays.stream(values()).map(HistoryStep::text).collect(Collectors.joining(", "));
  }
}
