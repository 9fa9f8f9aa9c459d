package io.coppice.engine.check.finding;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The findings of a check. If a pool has very many, the first ones are kept and the rest counted.
public final class Findings {

  private static final int KEPT = 1000;

  private final List<Finding> kept = new ArrayList<>();
  private final Map<Severity, Long> counts = new EnumMap<>(Severity.class);

  public void damage(Structure structure, FindingLocation where, String sentence) {
    add(new Finding(Severity.DAMAGE, structure, where, sentence));
  }

  public void warning(Structure structure, FindingLocation where, String sentence) {
    add(new Finding(Severity.WARNING, structure, where, sentence));
  }

  public void note(Structure structure, FindingLocation where, String sentence) {
    add(new Finding(Severity.NOTE, structure, where, sentence));
  }

  public void add(Finding finding) {
    counts.merge(finding.severity(), 1L, Long::sum);
    if (kept.size() < KEPT) {
      kept.add(finding);
    }
  }

  public List<Finding> kept() {
    return List.copyOf(kept);
  }

  public long of(Severity severity) {
    return counts.getOrDefault(severity, 0L);
  }
}
