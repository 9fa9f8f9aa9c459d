package io.coppice.vasa.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The outcome of a check of the chain.
///
/// @param at when it was made
/// @param sentence what is wrong and where, or that nothing is
/// @param entries how many were read
/// @param first number of the first one that is kept; 0 if there is none
/// @param last number of the last one; 0 if there is none
/// @param removed how many were removed for their age or number, as far as the chain says so
/// @param firstBad number of the first entry that is wrong or missing; null if none is
/// @param head the number and the hash that the pool has; null if it has none
public record Verdict(
    Instant at,
    String sentence,
    long entries,
    long first,
    long last,
    long removed,
    @Nullable Long firstBad,
    @Nullable ChainHead head) {

  /// Whether the chain is whole: nothing was changed, added or removed by others.
  public boolean isIntact() {
    return firstBad == null;
  }
}
