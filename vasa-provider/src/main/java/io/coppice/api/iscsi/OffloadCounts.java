package io.coppice.api.iscsi;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// Offloaded commands in numbers.
///
/// @param kinds by kind, such as `writeSame`; those that never came are missing
/// @param total of all kinds
public record OffloadCounts(Map<String, Count> kinds, Count total) {

  public OffloadCounts {
    kinds = Map.copyOf(kinds);
  }

  /// @param commands how many were carried out
  /// @param bytesSpared bytes that did not cross the wire for them
  /// @param fallBacks how many were refused, so that the host did it in another way
  public record Count(long commands, long bytesSpared, long fallBacks) {

    private static final Count NONE = new Count(0, 0, 0);

    private Count plus(Count other) {
      return new Count(
          commands + other.commands, bytesSpared + other.bytesSpared, fallBacks + other.fallBacks);
    }
  }

  /// The counts of all parts together.
  public static OffloadCounts sum(Collection<OffloadCounts> parts) {
    Map<String, Count> kinds = new TreeMap<>();
    for (OffloadCounts part : parts) {
      part.kinds.forEach((kind, count) -> kinds.merge(kind, count, Count::plus));
    }
    return of(kinds);
  }

  /// Counts with their total.
  public static OffloadCounts of(Map<String, Count> kinds) {
    return new OffloadCounts(kinds, kinds.values().stream().reduce(Count.NONE, Count::plus));
  }
}
