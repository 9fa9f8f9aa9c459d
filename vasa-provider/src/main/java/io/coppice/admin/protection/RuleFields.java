package io.coppice.admin.protection;

import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.protection.PointRule;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.protection.rule.ZoneNames;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rules of protection policies, from and to their fields in JSON.
final class RuleFields {

  private static final String FIELD = "rules";
  private static final String LAST = "last";

  /// The kinds, each with the fields that it has beside those of every rule.
  private static final Map<String, Set<String>> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("every", Set.of("interval"));
    KINDS.put("hourly", Set.of("minute"));
    KINDS.put("daily", Set.of("at", "zone"));
    KINDS.put("weekly", Set.of("at", "zone", "days"));
    KINDS.put("monthly", Set.of("at", "zone", "day", "months"));
  }

  private RuleFields() {}

  /// @throws RequestRejectedException or a fault about `rules`, if they are not as above or no
  ///   rules of a policy
  static ProtectionRules parse(List<PointRule> wanted) {
    if (wanted.stream().anyMatch(Objects::isNull)) {
      throw refused("expected rules, got null");
    }
    List<ProtectionRule> rules = wanted.stream().map(RuleFields::parse).toList();
    return RequestRejectedException.about(FIELD, () -> new ProtectionRules(rules));
  }

  private static ProtectionRule parse(PointRule rule) {
    String name = rule.name();
    if (name == null) {
      throw refused("expected a name of each rule, got a rule without");
    }
    return RequestRejectedException.about(
        FIELD,
        () ->
            new ProtectionRule(
                name, recurrence(name, rule), keeping(name, rule), naming(rule), lock(name, rule)));
  }

  private static Duration lock(String name, PointRule rule) {
    Duration lock = rule.lock() == null ? Duration.ZERO : time(name, "lock", rule.lock());
    if (rule.lock() != null && !lock.isPositive()) {
      throw refused(
          "expected a lock of rule '%s' of a second or more, got '%s'"
              .formatted(name, rule.lock()));
    }
    return lock;
  }

  private static PointNaming naming(PointRule rule) {
    return rule.pattern() == null ? PointNaming.USUAL : new PointNaming(rule.pattern());
  }

  private static Recurrence recurrence(String name, PointRule rule) {
    String kind = Objects.requireNonNullElse(rule.kind(), "none");
    checkFields(name, kind, rule);
    return switch (kind) {
      case "every" -> new Recurrence.Every(time(name, "interval", rule.interval()));
      case "hourly" -> new Recurrence.Hourly(need(name, "minute", rule.minute()));
      case "daily" -> new Recurrence.Daily(at(name, rule), zone(name, rule));
      case "weekly" ->
          new Recurrence.Weekly(
              chosen(DayOfWeek.class, name, "days", need(name, "days", rule.days())),
              at(name, rule),
              zone(name, rule));
      default ->
          new Recurrence.Monthly(
              day(name, need(name, "day", rule.day())),
              rule.months() == null
                  ? EnumSet.allOf(Month.class)
                  : chosen(Month.class, name, "months", rule.months()),
              at(name, rule),
              zone(name, rule));
    };
  }

  private static void checkFields(String name, String kind, PointRule rule) {
    Set<String> known = KINDS.get(kind);
    if (known == null) {
      throw refused(
          "expected one of %s as the kind of rule '%s', got '%s'"
              .formatted(String.join(", ", KINDS.keySet()), name, kind));
    }
    fields(rule)
        .forEach(
            (field, value) -> {
              if (value != null && !known.contains(field)) {
                throw refused(
                    "expected the fields %s of the %s rule '%s', got '%s', too"
                        .formatted(
                            known.stream().sorted().collect(Collectors.joining(", ")),
                            kind,
                            name,
                            field));
              }
            });
  }

  /// The fields that only some kinds have.
  private static Map<String, @Nullable Object> fields(PointRule rule) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("interval", rule.interval());
    fields.put("minute", rule.minute());
    fields.put("at", rule.at());
    fields.put("zone", rule.zone());
    fields.put("days", rule.days());
    fields.put("day", rule.day());
    fields.put("months", rule.months());
    return fields;
  }

  private static <T> T need(String name, String field, @Nullable T value) {
    if (value == null) {
      throw refused("expected a value of '%s' of rule '%s', got none".formatted(field, name));
    }
    return value;
  }

  private static Duration time(String name, String field, @Nullable String text) {
    return Objects.requireNonNull(IsoDurations.parse(FIELD, need(name, field, text)));
  }

  private static ZoneId zone(String name, PointRule rule) {
    return ZoneNames.parse(need(name, "zone", rule.zone()));
  }

  private static LocalTime at(String name, PointRule rule) {
    String text = need(name, "at", rule.at());
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw refused(
          "expected a time of day such as 02:00 as 'at' of rule '%s', got '%s'"
              .formatted(name, text));
    }
  }

  private static int day(String name, String text) {
    if (text.equals(LAST)) {
      return Recurrence.Monthly.LAST;
    }
    if (!text.matches("[1-9]|[12][0-9]|3[01]")) {
      throw refused(
          "expected 1 to 31 or last as the day of rule '%s', got '%s'".formatted(name, text));
    }
    return Integer.parseInt(text);
  }

  private static <E extends Enum<E>> Set<E> chosen(
      Class<E> type, String name, String field, List<String> texts) {
    Set<E> chosen = EnumSet.noneOf(type);
    for (String text : texts) {
      E one =
          Arrays.stream(type.getEnumConstants())
              .filter(constant -> text(constant).equals(text))
              .findFirst()
              .orElseThrow(
                  () ->
                      refused(
                          "expected '%s' of rule '%s' from %s to %s, got '%s'"
                              .formatted(
                                  field,
                                  name,
                                  text(type.getEnumConstants()[0]),
                                  text(type.getEnumConstants()[type.getEnumConstants().length - 1]),
                                  text)));
      chosen.add(one);
    }
    return chosen;
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Keeping keeping(String name, PointRule rule) {
    Integer count = rule.keepCount();
    if ((count == null) == (rule.keepFor() == null)) {
      throw refused(
          "expected either keepCount or keepFor of rule '%s', got %s"
              .formatted(name, count == null ? "neither" : "both"));
    }
    return count == null
        ? new Keeping.Younger(time(name, "keepFor", rule.keepFor()))
        : new Keeping.Newest(count);
  }

  private static RequestRejectedException refused(String message) {
    return RequestRejectedException.field(FIELD, message);
  }

  static List<PointRule> views(ProtectionRules rules) {
    return rules.rules().stream().map(RuleFields::view).toList();
  }

  private static PointRule view(ProtectionRule rule) {
    Integer count = rule.keeping() instanceof Keeping.Newest(int some) ? some : null;
    String time =
        rule.keeping() instanceof Keeping.Younger(Duration some) ? IsoDurations.text(some) : null;
    Shown shown = shown(rule.recurrence());
    return new PointRule(
        rule.name(),
        shown.kind(),
        shown.interval(),
        shown.minute(),
        shown.at(),
        shown.zone(),
        shown.days(),
        shown.day(),
        shown.months(),
        count,
        time,
        rule.lock().isZero() ? null : IsoDurations.text(rule.lock()),
        rule.pattern().equals(PointNaming.USUAL) ? null : rule.pattern().text());
  }

  /// The fields of a recurrence.
  private record Shown(
      String kind,
      @Nullable String interval,
      @Nullable Integer minute,
      @Nullable String at,
      @Nullable String zone,
      @Nullable List<String> days,
      @Nullable String day,
      @Nullable List<String> months) {

    static Shown ofTimes(String kind, LocalTime at, ZoneId zone) {
      return new Shown(kind, null, null, at.toString(), zone.getId(), null, null, null);
    }

    Shown on(
        @Nullable List<String> someDays,
        @Nullable String someDay,
        @Nullable List<String> someMonths) {
      return new Shown(kind, interval, minute, at, zone, someDays, someDay, someMonths);
    }
  }

  private static Shown shown(Recurrence recurrence) {
    return switch (recurrence) {
      case Recurrence.Every(Duration interval) ->
          new Shown("every", IsoDurations.text(interval), null, null, null, null, null, null);
      case Recurrence.Hourly(int minute) ->
          new Shown("hourly", null, minute, null, null, null, null, null);
      case Recurrence.Daily daily -> Shown.ofTimes("daily", daily.at(), daily.zone());
      case Recurrence.Weekly weekly ->
          Shown.ofTimes("weekly", weekly.at(), weekly.zone()).on(texts(weekly.days()), null, null);
      case Recurrence.Monthly monthly ->
          Shown.ofTimes("monthly", monthly.at(), monthly.zone())
              .on(
                  null,
                  monthly.day() == Recurrence.Monthly.LAST ? LAST : Integer.toString(monthly.day()),
                  monthly.months().size() == Month.values().length
                      ? null
                      : texts(monthly.months()));
    };
  }

  private static <E extends Enum<E>> List<String> texts(Set<E> chosen) {
    return chosen.stream().sorted().map(RuleFields::text).toList();
  }

  /// A rule as a text for people: its fields that are set.
  static String text(PointRule rule) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("kind", rule.kind());
    all.putAll(fields(rule));
    all.put("keepCount", rule.keepCount());
    all.put("keepFor", rule.keepFor());
    all.put("lock", rule.lock());
    all.put("pattern", rule.pattern());
    return all.entrySet().stream()
        .filter(field -> field.getValue() != null)
        .map(field -> "%s %s".formatted(field.getKey(), field.getValue()))
        .collect(Collectors.joining(", ", rule.name() + ": ", ""));
  }
}
