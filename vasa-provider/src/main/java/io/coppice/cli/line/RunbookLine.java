package io.coppice.cli.line;

import io.coppice.api.runbook.ExportEntry;
import io.coppice.api.runbook.StepEntry;
import io.coppice.api.runbook.TestTimes;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.TimeSpan;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The parts of a runbook, each on one line.
///
/// | Part | Lines |
/// |---|---|
/// | a step | `db,logs`, `db pause 30s` |
/// | an export | `db to cluster`, `db to host web-1 lun 10` |
/// | the times of tests | `daily 02:00 Europe/Berlin`, `weekly mon,thu 02:00 UTC` |
public final class RunbookLine {

  public static final String STEP = "db,logs pause 30s";
  public static final String EXPORT = "db to db-cluster lun 10";
  public static final String TIMES = "daily 02:00 Europe/Berlin";

  private static final Pattern STEPS = Pattern.compile("(.+?)(?:\\s+pause\\s+(\\S+))?");
  private static final Pattern EXPORTS =
      Pattern.compile("(.+?)\\s+to\\s+(host\\s+|host-group\\s+)?(.+?)(?:\\s+lun\\s+(\\d{1,5}))?");
  private static final Pattern DAILY = Pattern.compile("daily\\s+(\\S+)(?:\\s+(\\S+))?");
  private static final Pattern WEEKLY =
      Pattern.compile("weekly\\s+(\\S+)\\s+(\\S+)(?:\\s+(\\S+))?");
  private static final Pattern TIME = Pattern.compile("\\d{1,2}:\\d{2}");
  private static final int SHORT = 3; // letters of a day

  private RunbookLine() {}

  /// Groups with commas between them, and the pause after them.
  ///
  /// @throws CommandFailedException if it is no such line
  public static StepEntry step(String line) {
    Matcher parts = matched(STEPS, "--step", STEP, line);
    List<String> groups = Stream.of(parts.group(1).split(",", -1)).map(String::strip).toList();
    String pause = parts.group(2);
    return new StepEntry(
        groups, pause == null ? null : TimeSpan.parse("--step pause", pause).toString());
  }

  /// A group, a host group or host, and the number of the first volume.
  ///
  /// @param option `--export` or `--test-export`
  /// @throws CommandFailedException if it is no such line
  public static ExportEntry export(String option, String line) {
    Matcher parts = matched(EXPORTS, option, EXPORT, line);
    boolean isHost = "host".equals(Objects.requireNonNullElse(parts.group(2), "").strip());
    String name = parts.group(3);
    String lun = parts.group(4);
    return new ExportEntry(
        parts.group(1),
        isHost ? null : name,
        isHost ? name : null,
        lun == null ? null : Integer.valueOf(lun));
  }

  private static Matcher matched(Pattern pattern, String option, String example, String line) {
    Matcher parts = pattern.matcher(line.strip());
    if (!parts.matches()) {
      throw CommandFailedException.usage(
          "expected %s '%s' or the like, got '%s'", option, example, line);
    }
    return parts;
  }

  /// Days and a time of day, in a zone; UTC without one.
  ///
  /// @throws CommandFailedException if it is no such line
  public static TestTimes times(String line) {
    Matcher daily = DAILY.matcher(line.strip());
    if (daily.matches()) {
      return new TestTimes(time(daily.group(1), line), zone(daily.group(2)), List.of());
    }
    Matcher weekly = matched(WEEKLY, "--schedule", TIMES, line);
    List<String> days =
        Stream.of(weekly.group(1).split(",", -1)).map(day -> day(day, line)).toList();
    return new TestTimes(time(weekly.group(2), line), zone(weekly.group(3)), days);
  }

  private static String zone(@Nullable String zone) {
    return Objects.requireNonNullElse(zone, "UTC");
  }

  private static String time(String text, String line) {
    if (!TIME.matcher(text).matches()) {
      throw CommandFailedException.usage(
          "expected a time of day such as 02:00 in --schedule '%s', got '%s'", line, text);
    }
    return text.length() < "02:00".length() ? "0" + text : text;
  }

  private static String day(String start, String line) {
    return Arrays.stream(DayOfWeek.values())
        .map(day -> day.name().toLowerCase(Locale.ROOT))
        .filter(_ -> start.length() >= SHORT)
        .filter(day -> day.startsWith(start.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailedException.usage(
                    "expected days from monday to sunday in --schedule '%s', got '%s'",
                    line, start));
  }

  /// The line of times; null without any.
  public static @Nullable String of(@Nullable TestTimes times) {
    if (times == null) {
      return null;
    }
    List<String> days = Objects.requireNonNullElse(times.days(), List.of());
    String named =
        days.stream().map(day -> day.substring(0, SHORT)).collect(Collectors.joining(","));
    return "%s %s %s"
        .formatted(days.isEmpty() ? "daily" : "weekly " + named, times.at(), times.zone());
  }
}
