package io.coppice.vasa.verdict;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The verdict on a provider.
///
/// @param sentence that it is well, or the worst of what is not, with its effect
/// @param remedy what to do; null if there is nothing, or the sentence says it
/// @param checks everything that was looked at
public record ProviderVerdict(
    Status status, String sentence, @Nullable String remedy, List<Check> checks) {

  /// The state of a provider.
  public enum Status {
    OK,
    /// It works, but not for ever or not for everybody.
    WARNING,
    /// Something keeps it, or a part of it, from working.
    FAILING
  }

  /// The outcome of a check.
  public enum Outcome {
    OK,
    WARN,
    FAIL,
    SKIPPED
  }

  /// A thing that was looked at.
  ///
  /// @param topic a word or two
  /// @param seen about it, as a clause or sentence
  /// @param remedy null if there is none, or `seen` has it
  public record Check(String topic, Outcome outcome, String seen, @Nullable String remedy) {}

  public ProviderVerdict {
    checks = List.copyOf(checks);
  }
}
