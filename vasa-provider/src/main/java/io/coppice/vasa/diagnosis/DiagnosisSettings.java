package io.coppice.vasa.diagnosis;

import java.time.Duration;

/// Settings of the diagnosis; see `config/application.yaml` for each.
///
/// @param period between two samples
/// @param kept how far back a window may reach
/// @param entries most figures of one volume in one sample that are kept in all
/// @param slow time of a command, with its round trip, from which on it is slow
public record DiagnosisSettings(Duration period, Duration kept, int entries, Duration slow) {

  public DiagnosisSettings {
    within("period", period, Duration.ofSeconds(1), Duration.ofMinutes(1));
    within("kept", kept, Duration.ofMinutes(1), Duration.ofHours(1));
    within("slow", slow, Duration.ofMillis(1), Duration.ofSeconds(10));
    if (entries < 1000 || entries > 10_000_000) {
      throw new IllegalArgumentException(
          "coppice.diagnosis.entries: expected 1000 to 10000000, got " + entries);
    }
  }

  private static void within(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.diagnosis.%s: expected %s to %s, got %s".formatted(name, least, most, value));
    }
  }
}
