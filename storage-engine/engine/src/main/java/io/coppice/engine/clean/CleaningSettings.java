package io.coppice.engine.clean;

/// The settings of the cleaner.
///
/// | Component | Meaning |
/// |---|---|
/// | `startPercent` | share of the space in which nothing lives, 0 to 100: with less of it in free zones the cleaner works, the faster the less; 0: only when a write waits for a zone |
/// | `maxLivePercent` | a zone of which a larger share lives, 1 to 100, is cleaned only when a write waits for it |
/// | `idlePauseMillis` | milliseconds, at least 1, between two pieces of 256 KiB that it copies although hosts have not paid for them |
/// | `stepMillis` | milliseconds of the device, at least 1, that it takes before it lets others pass |
/// | `latencyWindowMillis` | milliseconds, at least 1, over which it looks at the time that batches of hosts take |
/// | `latencyRisePercent` | of the usual 99th percentile, at least 100: above it the pause is doubled |
public record CleaningSettings(
    int startPercent,
    int maxLivePercent,
    int idlePauseMillis,
    int stepMillis,
    int latencyWindowMillis,
    int latencyRisePercent) {

  public CleaningSettings {
    if (startPercent < 0
        || startPercent > 100
        || maxLivePercent < 1
        || maxLivePercent > 100
        || idlePauseMillis < 1
        || stepMillis < 1
        || latencyWindowMillis < 1
        || latencyRisePercent < 100) {
      throw new IllegalArgumentException(
          "expected percents of 0 to 100 and 1 to 100, positive milliseconds and a rise of at least 100 percent for the cleaner, got %d, %d, %d, %d, %d, %d"
              .formatted(
                  startPercent,
                  maxLivePercent,
                  idlePauseMillis,
                  stepMillis,
                  latencyWindowMillis,
                  latencyRisePercent));
    }
  }

  /// A quarter of the dead space is kept in free zones. The pause doubles when 99 % of the batches
  /// of a second take twice as long as in the last minute.
  public static CleaningSettings defaults() {
    return new CleaningSettings(25, 85, 20, 50, 1000, 200);
  }
}
