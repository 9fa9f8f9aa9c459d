package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.profile.ProviderChoice;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options that every verb has.
///
/// @param choice of the provider
/// @param format of the output
/// @param dryRun whether changes are printed instead of sent
/// @param limit most items of a list; null for all
/// @param filters of a list, each `KEY=VALUE`
/// @param awaited whether the command ends when its job has ended
/// @param longestWait for a job
public record Common(
    ProviderChoice choice,
    OutputFormat format,
    boolean dryRun,
    @Nullable Integer limit,
    List<String> filters,
    boolean awaited,
    Duration longestWait) {

  private static final Flag LIMIT = Flag.of("--limit", "N", "most items (all by default)");
  private static final Flag FILTER =
      Flag.of("--filter", "KEY=VALUE", "any filter of the list (docs/rest.md)").repeated();
  private static final Flag NO_WAIT = Flag.on("--no-wait", "print the job and do not wait for it");
  private static final Flag WAIT = Flag.on("--wait", "wait until the job has ended (the default)");
  private static final Flag TIMEOUT =
      Flag.of("--timeout", "TIME", "how long to wait for the job (10m by default)");

  /// The option of a change that is for one edition of its object.
  static final Flag IF_MATCH =
      Flag.of("--if-match", "TAG", "only if the object still has this tag (show --tag)");

  /// The option that shows an object's tag instead of it.
  static final Flag TAG = Flag.on("--tag", "print its tag alone, for --if-match");

  /// Options of every verb.
  public static final List<Flag> EVERYWHERE =
      List.of(
          Flag.of("--output", "FORMAT", "table, wide, json, yaml or name (ids alone)"),
          Flag.on("--dry-run", "print changes as lines of curl instead of sending them"),
          Flag.on("--verbose", "with an error: its code and trace id"),
          Flag.of("--profile", "NAME", "the provider of this profile"),
          Flag.of("--url", "URL", "the provider with this URL"),
          Flag.of("--token-file", "FILE", "file with the token"),
          Flag.of("--ca", "FILE", "file with the root certificate that is trusted, in PEM"),
          Flag.of("--home", "DIR", "the provider with this home on this machine"));

  /// Options of verbs that show a list.
  public static final List<Flag> OF_LISTS = List.of(LIMIT, FILTER);

  /// Options of verbs that start a job.
  static final List<Flag> OF_JOBS = List.of(WAIT, NO_WAIT, TIMEOUT);

  public Common {
    filters = List.copyOf(filters);
  }

  /// @throws CommandFailedException if one of the values cannot be
  public static Common of(Typed typed) {
    Options options = new Options(typed);
    String limit = options.first("--limit");
    String timeout = options.first("--timeout");
    String format = options.first("--output");
    if (options.isOn("--wait") && options.isOn("--no-wait")) {
      throw CommandFailedException.usage("expected --wait or --no-wait, got both");
    }
    return new Common(
        new ProviderChoice(
            options.first("--profile"),
            options.first("--url"),
            options.first("--token-file"),
            options.first("--ca"),
            options.first("--home")),
        format == null ? OutputFormat.TABLE : OutputFormat.parse(format),
        options.isOn("--dry-run"),
        limit == null ? null : Options.number("--limit", limit, 1, Integer.MAX_VALUE),
        typed.values().getOrDefault("--filter", List.of()),
        !options.isOn("--no-wait"),
        timeout == null ? Duration.ofMinutes(10) : TimeSpan.parse("--timeout", timeout));
  }
}
