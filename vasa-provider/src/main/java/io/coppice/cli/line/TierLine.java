package io.coppice.cli.line;

import io.coppice.api.protection.ContinuousTier;
import io.coppice.api.replication.ReplicaTier;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.TimeSpan;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tiers of points or replicas on one line, such as `5s for 1h, 1m for 1d, 15m for 1w`; `none`
/// for no tiers.
public final class TierLine {

  public static final String EXAMPLE = "5s for 1h, 1m for 1d, 15m for 1w";

  private static final String NONE = "none";
  private static final Pattern TIER = Pattern.compile("(\\S+) for (\\S+)");

  private TierLine() {}

  /// @throws CommandFailedException if it is no line as above
  public static List<ContinuousTier> parse(String text) {
    return tiers(text, TierLine::tier);
  }

  /// The tiers of replicas, from the same line.
  ///
  /// @throws CommandFailedException as [#parse]
  public static List<ReplicaTier> keep(String text) {
    return tiers(text, one -> tier("--keep", one, ReplicaTier::new));
  }

  private static <T> List<T> tiers(String text, Function<String, T> tier) {
    return text.strip().equals(NONE)
        ? List.of()
        : Stream.of(text.split(",", -1)).map(tier).toList();
  }

  /// One tier, such as `5s for 1h`.
  ///
  /// @throws CommandFailedException if it is none
  public static ContinuousTier tier(String text) {
    return tier("--continuous", text, ContinuousTier::new);
  }

  private static <T> T tier(String option, String text, BiFunction<String, String, T> made) {
    Matcher parts = TIER.matcher(text.strip());
    if (!parts.matches()) {
      throw CommandFailedException.usage(
          "expected %s '%s' or none, got '%s'", option, EXAMPLE, text.strip());
    }
    return made.apply(
        TimeSpan.parse(option, parts.group(1)).toString(),
        TimeSpan.parse(option + " for", parts.group(2)).toString());
  }

  /// The line of tiers; null if there are none.
  public static @Nullable String of(List<ContinuousTier> tiers) {
    return line(tiers, ContinuousTier::every, ContinuousTier::keepFor);
  }

  /// The line of tiers of replicas; null if there are none.
  public static @Nullable String kept(List<ReplicaTier> tiers) {
    return line(tiers, ReplicaTier::every, ReplicaTier::keepFor);
  }

  private static <T> @Nullable String line(
      List<T> tiers, Function<T, @Nullable String> every, Function<T, @Nullable String> keepFor) {
    return tiers.isEmpty()
        ? null
        : tiers.stream()
            .map(
                tier ->
                    "%s for %s"
                        .formatted(
                            TimeSpan.text(every.apply(tier)), TimeSpan.text(keepFor.apply(tier))))
            .collect(Collectors.joining(", "));
  }
}
