package io.coppice.api.iscsi;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  /// @param reasons why, the most frequent first
  public record Count(long commands, long bytesSpared, long fallBacks, List<Reason> reasons) {

    public Count {
      reasons = List.copyOf(reasons);
    }
  }

  /// Fall-backs for one reason.
  ///
  /// @param sense what the host was told: sense key, additional sense code and qualifier; null: any
  ///   other than those that are counted by themselves
  /// @param sentence that in words, and what it means for the copy
  public record Reason(@Nullable String sense, String sentence, long count) {}
}
