package io.coppice.vasa.event;

/// @param kept changes kept for administrators
/// @param streams most streams of events at a time
public record HistorySettings(int kept, int streams) {

  public HistorySettings {
    if (kept < 100 || kept > 10_000_000) {
      throw new IllegalArgumentException(
          "coppice.management.events-kept: expected 100 to 10000000, got " + kept);
    }
  }
}
