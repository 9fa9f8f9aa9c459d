package io.coppice.engine.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Collects findings; keeps the first ones of a pool that is full of them and counts the rest.
final class Findings {

  private static final int KEPT = 1000;

  private final List<Finding> kept = new ArrayList<>();
  private final Map<Severity, Long> counts = new EnumMap<>(Severity.class);

  void damage(Structure structure, Where where, String sentence) {
    add(new Finding(Severity.DAMAGE, structure, where, sentence));
  }

  void warning(Structure structure, Where where, String sentence) {
    add(new Finding(Severity.WARNING, structure, where, sentence));
  }

  void note(Structure structure, Where where, String sentence) {
    add(new Finding(Severity.NOTE, structure, where, sentence));
  }

  void add(Finding finding) {
    counts.merge(finding.severity(), 1L, Long::sum);
    if (kept.size() < KEPT) {
      kept.add(finding);
    }
  }

  List<Finding> kept() {
    return List.copyOf(kept);
  }

  long of(Severity severity) {
    return counts.getOrDefault(severity, 0L);
  }
}
