package io.coppice.admin.iscsi;

import io.coppice.admin.field.CamelCase;
import io.coppice.api.iscsi.OffloadCounts;
import io.coppice.scsi.unit.OffloadLedger.Entry;
import io.coppice.scsi.unit.OffloadLedger.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Views of what was offloaded.
final class OffloadViews {

  private static final Comparator<OffloadCounts.Reason> MOST_FREQUENT_FIRST =
      Comparator.comparingLong(OffloadCounts.Reason::count)
          .reversed()
          .thenComparing(OffloadCounts.Reason::sentence);

  private OffloadViews() {}

  /// The sum of several initiators or volumes, by kind.
  static Map<Kind, Entry> sum(Collection<Map<Kind, Entry>> parts) {
    Map<Kind, Entry> sum = new EnumMap<>(Kind.class);
    parts.forEach(part -> part.forEach((kind, entry) -> sum.merge(kind, entry, Entry::plus)));
    return sum;
  }

  /// All kinds together.
  static Entry total(Map<Kind, Entry> entries) {
    return entries.values().stream().reduce(Entry.NONE, Entry::plus);
  }

  static OffloadCounts of(Map<Kind, Entry> entries) {
    Map<String, OffloadCounts.Count> kinds = new TreeMap<>();
    entries.forEach((kind, entry) -> kinds.put(CamelCase.of(kind), count(entry)));
    return new OffloadCounts(kinds, count(total(entries)));
  }

  private static OffloadCounts.Count count(Entry entry) {
    return new OffloadCounts.Count(
        entry.commands(), entry.bytesSpared(), entry.fallBacks(), reasons(entry));
  }

  private static List<OffloadCounts.Reason> reasons(Entry entry) {
    List<OffloadCounts.Reason> reasons = new ArrayList<>();
    entry
        .reasons()
        .forEach(
            (sense, count) ->
                reasons.add(
                    new OffloadCounts.Reason(sense.toString(), FallBackSentence.of(sense), count)));
    reasons.sort(MOST_FREQUENT_FIRST);
    if (entry.otherFallBacks() > 0) {
      reasons.add(new OffloadCounts.Reason(null, FallBackSentence.OTHERS, entry.otherFallBacks()));
    }
    return reasons;
  }
}
