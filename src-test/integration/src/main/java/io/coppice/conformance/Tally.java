package io.coppice.conformance;

import io.coppice.conformance.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The verdicts of one logical unit.
///
/// @param name of the unit
public record Tally(String name, List<Verdict> verdicts) {

  public Tally {
    verdicts = List.copyOf(verdicts);
  }

  long count(Outcome outcome) {
    return verdicts.stream().filter(v -> v.outcome() == outcome).count();
  }

  public List<Verdict> failures() {
    return verdicts.stream().filter(v -> v.outcome() == Outcome.FAILED).toList();
  }

  /// Skips without a reason that we accept.
  public List<Verdict> unexpectedSkips() {
    return verdicts.stream()
        .filter(v -> v.outcome() == Outcome.SKIPPED && Skips.reasonFor(v.suite()).isEmpty())
        .toList();
  }

  /// Every failure and every skip with its reason, then the counts.
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Verdict verdict : failures()) {
      lines.add("  failed   %s: %s".formatted(verdict.test(), verdict.detail()));
    }
    for (Verdict verdict : unexpectedSkips()) {
      lines.add("  skipped  %s, without need: %s".formatted(verdict.test(), verdict.detail()));
    }
    expectedSkips()
        .forEach(
            (reason, tests) ->
                lines.add(
                    "  skipped  %s%n           because %s"
                        .formatted(String.join(", ", tests), reason)));
    lines.add("  " + summary());
    return lines;
  }

  private Map<String, List<String>> expectedSkips() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    for (Verdict verdict : verdicts) {
      if (verdict.outcome() == Outcome.SKIPPED) {
        Skips.reasonFor(verdict.suite())
            .ifPresent(
                reason ->
                    byReason.computeIfAbsent(reason, _ -> new ArrayList<>()).add(verdict.test()));
      }
    }
    return byReason;
  }

  String summary() {
    return "%d passed, %d failed, %d skipped"
        .formatted(count(Outcome.PASSED), count(Outcome.FAILED), count(Outcome.SKIPPED));
  }
}
