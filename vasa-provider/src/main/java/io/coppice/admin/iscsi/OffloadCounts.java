package io.coppice.admin.iscsi;

import io.coppice.admin.field.CamelCase;
import io.coppice.scsi.unit.OffloadLedger;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// Offloaded commands in numbers.
///
/// @param kinds by kind, such as `writeSame`; those that never came are missing
/// @param total of all kinds
record OffloadCounts(Map<String, Count> kinds, Count total) {

  OffloadCounts {
    kinds = Map.copyOf(kinds);
  }

  /// @param commands how many were carried out
  /// @param bytesSpared bytes that did not cross the wire for them
  /// @param fallBacks how many were refused, so that the host did it in another way
  record Count(long commands, long bytesSpared, long fallBacks) {

    private static final Count NONE = new Count(0, 0, 0);

    private Count plus(Count other) {
      return new Count(
          commands + other.commands, bytesSpared + other.bytesSpared, fallBacks + other.fallBacks);
    }
  }

  static OffloadCounts of(Map<OffloadLedger.Kind, OffloadLedger.Entry> entries) {
    Map<String, Count> kinds = new TreeMap<>();
    entries.forEach(
        (kind, entry) ->
            kinds.put(
                CamelCase.of(kind),
                new Count(entry.commands(), entry.bytesSpared(), entry.fallBacks())));
    return of(kinds.values(), kinds);
  }

  static OffloadCounts sum(Collection<OffloadCounts> parts) {
    Map<String, Count> kinds = new TreeMap<>();
    for (OffloadCounts part : parts) {
      part.kinds.forEach((kind, count) -> kinds.merge(kind, count, Count::plus));
    }
    return of(kinds.values(), kinds);
  }

  private static OffloadCounts of(Collection<Count> counts, Map<String, Count> kinds) {
    return new OffloadCounts(kinds, counts.stream().reduce(Count.NONE, Count::plus));
  }
}
