package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.protection.rule.ZoneNames;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Month;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `protection_rule`.
final class RuleRows {

  private static final int MINUTES = 60;

  private final JdbcClient jdbc;

  RuleRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Replaces all rules of a policy.
  void replace(UUID policy, ProtectionRules rules) {
    jdbc.sql("delete from protection_rule where policy_id = :policy")
        .param("policy", policy)
        .update();
    for (int place = 0; place < rules.rules().size(); place++) {
      insert(policy, place, rules.rules().get(place));
    }
  }

  private record Columns(
      String kind,
      @Nullable Long interval,
      @Nullable Integer minute,
      @Nullable String zone,
      Integer @Nullable [] days,
      @Nullable Integer day,
      Integer @Nullable [] months) {}

  private static Columns columns(Recurrence recurrence) {
    return switch (recurrence) {
      case Recurrence.Every(Duration interval) ->
          new Columns("EVERY", interval.toSeconds(), null, null, null, null, null);
      case Recurrence.Hourly(int minute) ->
          new Columns("HOURLY", null, minute, null, null, null, null);
      case Recurrence.Daily daily ->
          new Columns("DAILY", null, minute(daily.at()), daily.zone().getId(), null, null, null);
      case Recurrence.Weekly weekly ->
          new Columns(
              "WEEKLY",
              null,
              minute(weekly.at()),
              weekly.zone().getId(),
              weekly.days().stream().map(DayOfWeek::getValue).sorted().toArray(Integer[]::new),
              null,
              null);
      case Recurrence.Monthly monthly ->
          new Columns(
              "MONTHLY",
              null,
              minute(monthly.at()),
              monthly.zone().getId(),
              null,
              monthly.day(),
              monthly.months().stream().map(Month::getValue).sorted().toArray(Integer[]::new));
    };
  }

  private static int minute(LocalTime at) {
    return at.getHour() * MINUTES + at.getMinute();
  }

  private void insert(UUID policy, int place, ProtectionRule rule) {
    Columns columns = columns(rule.recurrence());
    jdbc.sql(
            """
            insert into protection_rule (policy_id, place, name, kind, interval_s, minute, zone,
                                         days, day, months, keep_count, keep_s, pattern, lock_s)
            values (:policy, :place, :name, :kind, :interval, :minute, :zone,
                    :days, :day, :months, :count, :time, :pattern, :lock)
            """)
        .param("policy", policy)
        .param("place", place)
        .param("name", rule.name())
        .param("kind", columns.kind())
        .param("interval", columns.interval())
        .param("minute", columns.minute())
        .param("zone", columns.zone())
        .param("days", columns.days())
        .param("day", columns.day())
        .param("months", columns.months())
        .param("count", rule.keeping() instanceof Keeping.Newest(int count) ? count : null)
        .param(
            "time",
            rule.keeping() instanceof Keeping.Younger(Duration time) ? time.toSeconds() : null)
        .param("pattern", rule.pattern().text())
        .param("lock", rule.lock().isZero() ? null : rule.lock().toSeconds())
        .update();
  }

  /// The rules of policies, by policy.
  Map<UUID, ProtectionRules> of(Collection<UUID> policies) {
    Map<UUID, List<ProtectionRule>> rules = new LinkedHashMap<>();
    if (!policies.isEmpty()) {
      jdbc.sql("select * from protection_rule where policy_id = any(:policies) order by place")
          .param("policies", policies.toArray(UUID[]::new))
          .query(
              row -> {
                rules
                    .computeIfAbsent(GroupRows.uuid(row, "policy_id"), _ -> new ArrayList<>())
                    .add(rule(row));
              });
    }
    Map<UUID, ProtectionRules> all = new HashMap<>();
    rules.forEach((policy, own) -> all.put(policy, new ProtectionRules(own)));
    return all;
  }

  private static ProtectionRule rule(ResultSet row) throws SQLException {
    int count = row.getInt("keep_count");
    Keeping keeping =
        row.wasNull()
            ? new Keeping.Younger(Duration.ofSeconds(row.getLong("keep_s")))
            : new Keeping.Newest(count);
    return new ProtectionRule(
        row.getString("name"),
        recurrence(row),
        keeping,
        new PointNaming(row.getString("pattern")),
        Duration.ofSeconds(row.getLong("lock_s"))); // 0 if it has none
  }

  private static Recurrence recurrence(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    return switch (kind) {
      case "EVERY" -> new Recurrence.Every(Duration.ofSeconds(row.getLong("interval_s")));
      case "HOURLY" -> new Recurrence.Hourly(row.getInt("minute"));
      case "DAILY" -> new Recurrence.Daily(at(row), ZoneNames.parse(row.getString("zone")));
      case "WEEKLY" ->
          new Recurrence.Weekly(
              numbers(row.getArray("days")).stream()
                  .map(DayOfWeek::of)
                  .collect(Collectors.toUnmodifiableSet()),
              at(row),
              ZoneNames.parse(row.getString("zone")));
      case "MONTHLY" ->
          new Recurrence.Monthly(
              row.getInt("day"),
              numbers(row.getArray("months")).stream()
                  .map(Month::of)
                  .collect(Collectors.toUnmodifiableSet()),
              at(row),
              ZoneNames.parse(row.getString("zone")));
      default -> throw new IllegalStateException("expected a kind of rule, got " + kind);
    };
  }

  private static LocalTime at(ResultSet row) throws SQLException {
    int minute = row.getInt("minute");
    return LocalTime.of(minute / MINUTES, minute % MINUTES);
  }

  private static Set<Integer> numbers(Array array) throws SQLException {
    return Arrays.stream((Integer[]) array.getArray()).collect(Collectors.toUnmodifiableSet());
  }
}
