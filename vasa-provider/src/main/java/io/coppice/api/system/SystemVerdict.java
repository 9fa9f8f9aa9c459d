package io.coppice.api.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The verdict of the provider on itself.
///
/// @param status `ok`, `warning` or `failing`
/// @param sentence that it is well, or the worst of what is not, with its effect
/// @param remedy what to do; null if there is nothing, or the sentence says it
/// @param checks everything that was looked at
public record SystemVerdict(
    String status, String sentence, @Nullable String remedy, List<VerdictCheck> checks) {

  public SystemVerdict {
    checks = List.copyOf(checks);
  }
}
