package io.coppice.cli.line;

import io.coppice.api.protection.ContinuousTier;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.TimeSpan;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tiers of continuous points on one line, such as `5s for 1h, 1m for 1d, 15m for 1w`; `none`
/// for no tiers.
public final class TierLine {

  public static final String EXAMPLE = "5s for 1h, 1m for 1d, 15m for 1w";

  private static final String NONE = "none";
  private static final Pattern TIER = Pattern.compile("(\\S+) for (\\S+)");

  private TierLine() {}

  /// @throws CommandFailedException if it is no line as above
  public static List<ContinuousTier> parse(String text) {
    return text.strip().equals(NONE)
        ? List.of()
        : Stream.of(text.split(",", -1)).map(TierLine::tier).toList();
  }

  /// One tier, such as `5s for 1h`.
  ///
  /// @throws CommandFailedException if it is none
  public static ContinuousTier tier(String text) {
    Matcher parts = TIER.matcher(text.strip());
    if (!parts.matches()) {
      throw CommandFailedException.usage(
          "expected --continuous '%s' or none, got '%s'", EXAMPLE, text.strip());
    }
    return new ContinuousTier(
        TimeSpan.parse("--continuous", parts.group(1)).toString(),
        TimeSpan.parse("--continuous for", parts.group(2)).toString());
  }

  /// The line of tiers; null if there are none.
  public static @Nullable String of(List<ContinuousTier> tiers) {
    return tiers.isEmpty()
        ? null
        : tiers.stream()
            .map(
                tier ->
                    "%s for %s"
                        .formatted(TimeSpan.text(tier.every()), TimeSpan.text(tier.keepFor())))
            .collect(Collectors.joining(", "));
  }
}
