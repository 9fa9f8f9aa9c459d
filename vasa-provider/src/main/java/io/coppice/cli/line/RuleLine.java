package io.coppice.cli.line;

import io.coppice.api.protection.PointRule;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.TimeSpan;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A rule of a protection policy on one line, such as `daily 02:00 Europe/Berlin keep 7`.
///
/// | Line | Points |
/// |---|---|
/// | `every 15m keep 8` | each quarter of an hour |
/// | `hourly 5 keep 24` | at the fifth minute of each hour; 0 without a number |
/// | `daily 02:00 Europe/Berlin keep 14d` | each day; in UTC without a zone |
/// | `weekly mon,thu 02:00 keep 5` | on some days of the week |
/// | `monthly last 02:00 jan,jul keep 12` | on a day of each month, or of some months |
///
/// `keep` takes a number of points or a time; `lock` behind it takes the time for which each point
/// is locked. A name and `=` may stand before all, otherwise the kind is the name; a pattern of
/// names may follow after `named`.
public final class RuleLine {

  public static final String EXAMPLE = "daily 02:00 Europe/Berlin keep 7";

  private static final Pattern LINE =
      Pattern.compile(
          "(?:([^\\s=]+)=)?(.+?) keep (\\S+)(?: lock (\\S+))?(?: named (.+))?", Pattern.DOTALL);
  private static final Pattern TIME = Pattern.compile("\\d{1,2}:\\d{2}");
  private static final int SHORT = 3;

  private final String line;
  private final Deque<String> words;

  private RuleLine(String line, String words) {
    this.line = line;
    this.words = new ArrayDeque<>(List.of(words.strip().split("\\s+")));
  }

  /// @throws CommandFailedException if it is no line as above
  public static PointRule parse(String text) {
    Matcher parts = LINE.matcher(text.strip());
    if (!parts.matches()) {
      throw CommandFailedException.usage(
          "expected --rule '%s' or the like, got '%s'", EXAMPLE, text);
    }
    RuleLine line = new RuleLine(text, parts.group(2));
    String lock = parts.group(4);
    return line.rule(
        parts.group(1),
        parts.group(3),
        lock == null ? null : TimeSpan.parse("--rule lock", lock).toString(),
        parts.group(5));
  }

  private PointRule rule(
      @Nullable String name, String keep, @Nullable String lock, @Nullable String pattern) {
    String kind = words.remove().toLowerCase(Locale.ROOT);
    String interval = null;
    Integer minute = null;
    List<String> days = null;
    String day = null;
    switch (kind) {
      case "every" -> interval = TimeSpan.parse("--rule every", need("a time")).toString();
      case "hourly" -> minute = words.isEmpty() ? Integer.valueOf(0) : number(words.remove());
      case "daily" -> {}
      case "weekly" -> days = chosen(need("days"), DayOfWeek.values());
      case "monthly" -> day = need("a day");
      default ->
          throw CommandFailedException.usage(
              "expected every, hourly, daily, weekly or monthly in --rule '%s', got '%s'",
              line, kind);
    }
    boolean timed = kind.equals("daily") || days != null || day != null;
    String at = timed ? time() : null;
    String zone = null;
    List<String> months = null;
    while (timed && !words.isEmpty()) {
      String word = words.remove();
      if (day != null && months == null && isChoice(word, Month.values())) {
        months = chosen(word, Month.values());
      } else if (zone == null) {
        zone = word;
      } else {
        words.push(word);
        break;
      }
    }
    if (!words.isEmpty()) {
      throw CommandFailedException.usage(
          "expected 'keep' in --rule '%s', got '%s'", line, String.join(" ", words));
    }
    boolean counted = keep.matches("\\d{1,9}");
    return new PointRule(
        name == null ? kind : name,
        kind,
        interval,
        minute,
        at,
        timed ? Objects.requireNonNullElse(zone, "UTC") : null,
        days,
        day,
        months,
        counted ? Integer.valueOf(keep) : null,
        counted ? null : TimeSpan.parse("--rule keep", keep).toString(),
        lock,
        pattern);
  }

  private String need(String what) {
    String word = words.poll();
    if (word == null) {
      throw CommandFailedException.usage("expected %s in --rule '%s', got none", what, line);
    }
    return word;
  }

  private Integer number(String word) {
    if (!word.matches("\\d{1,9}")) {
      throw CommandFailedException.usage(
          "expected a minute from 0 to 59 in --rule '%s', got '%s'", line, word);
    }
    return Integer.valueOf(word);
  }

  private String time() {
    String word = need("a time of day");
    if (!TIME.matcher(word).matches()) {
      throw CommandFailedException.usage(
          "expected a time of day such as 02:00 in --rule '%s', got '%s'", line, word);
    }
    return word.length() < "02:00".length() ? "0" + word : word;
  }

  private static boolean isChoice(String word, Enum<?>[] all) {
    return Stream.of(word.split(",")).allMatch(one -> find(one, all).length == 1);
  }

  private List<String> chosen(String word, Enum<?>[] all) {
    return Stream.of(word.split(","))
        .map(
            one -> {
              String[] found = find(one, all);
              if (found.length != 1) {
                throw CommandFailedException.usage(
                    "expected names from %s to %s in --rule '%s', got '%s'",
                    text(all[0]), text(all[all.length - 1]), line, one);
              }
              return found[0];
            })
        .toList();
  }

  /// The names that begin with a text of three letters or more.
  private static String[] find(String start, Enum<?>[] all) {
    return Arrays.stream(all)
        .map(RuleLine::text)
        .filter(name -> start.length() >= SHORT)
        .filter(name -> name.startsWith(start.toLowerCase(Locale.ROOT)))
        .toArray(String[]::new);
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /// The line of a rule.
  public static String of(PointRule rule) {
    Stream<@Nullable Object> words =
        Stream.of(
            rule.kind(),
            TimeSpan.text(rule.interval()),
            rule.minute(),
            shortened(rule.days()),
            rule.day(),
            rule.at(),
            rule.zone(),
            shortened(rule.months()),
            "keep",
            rule.keepCount(),
            TimeSpan.text(rule.keepFor()),
            rule.lock() == null ? null : "lock " + TimeSpan.text(rule.lock()));
    String line =
        words.filter(Objects::nonNull).map(Object::toString).collect(Collectors.joining(" "));
    String named = rule.pattern() == null ? line : "%s named %s".formatted(line, rule.pattern());
    return Objects.equals(rule.name(), rule.kind()) ? named : "%s=%s".formatted(rule.name(), named);
  }

  private static @Nullable String shortened(@Nullable List<String> names) {
    return names == null
        ? null
        : names.stream().map(one -> one.substring(0, SHORT)).collect(Collectors.joining(","));
  }
}
