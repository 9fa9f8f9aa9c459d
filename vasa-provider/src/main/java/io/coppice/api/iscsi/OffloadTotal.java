package io.coppice.api.iscsi;

import java.time.Instant;
import java.util.Map;

/// The offloaded commands of all hosts to all volumes since the provider's start, also to those
/// that nobody reaches any more.
///
/// @param since the start of the process, from which on they are counted
/// @param kinds by kind, such as `writeSame`; those that never came are missing
/// @param total of all kinds
public record OffloadTotal(
    Instant since, Map<String, OffloadCounts.Count> kinds, OffloadCounts.Count total) {

  public OffloadTotal {
    kinds = Map.copyOf(kinds);
  }

  public OffloadTotal(Instant since, OffloadCounts counts) {
    this(since, counts.kinds(), counts.total());
  }
}
