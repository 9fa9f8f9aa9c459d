package io.coppice.vasa.replication.runbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The bounds of a runbook's fields.
class RunbookPlanTest {

  private static final UUID HOST = UUID.randomUUID();

  private static List<UUID> groups(int count) {
    return Stream.generate(UUID::randomUUID).limit(count).toList();
  }

  private static List<RunbookStep> steps(int steps, int groups) {
    return IntStream.range(0, steps)
        .mapToObj(_ -> new RunbookStep(groups(groups), Duration.ZERO))
        .toList();
  }

  private static RunbookPlan plan(
      String name, List<RunbookStep> steps, List<RunbookExport> exports, Duration hold) {
    return new RunbookPlan(name, steps, exports, List.of(), null, hold, null);
  }

  private static void assertRefused(String field, Runnable made) {
    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(made::run)
        .satisfies(
            e -> {
              assertThat(e.fault()).isInstanceOf(Fault.InvalidArgument.class);
              assertThat(e.argument()).isEqualTo(field);
              assertThat(e.getMessage()).contains("expected", "got");
            });
  }

  @Test
  void mostOfEverythingIsAllowed() {
    List<RunbookStep> steps = steps(RunbookBounds.MOST_STEPS, RunbookBounds.MOST_GROUPS);
    List<RunbookExport> exports =
        steps.stream()
            .flatMap(step -> step.groups().stream())
            .limit(RunbookBounds.MOST_EXPORTS)
            .map(group -> new RunbookExport(group, null, HOST, 16383))
            .toList();

    RunbookPlan plan = plan("x".repeat(80), steps, exports, Duration.ofHours(24));

    assertThat(plan.groups()).hasSize(128);
    assertThat(plan.exportOf(plan.groups().getFirst(), false)).isPresent();
    assertThat(plan.exportOf(plan.groups().getFirst(), true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "a\u0000"})
  void nameIsOnOneLine(String name) {
    assertRefused("name", () -> plan(name, steps(1, 1), List.of(), Duration.ZERO));
  }

  @Test
  void moreThanTheMostIsRefused() {
    assertRefused("name", () -> plan("x".repeat(81), steps(1, 1), List.of(), Duration.ZERO));
    assertRefused("steps", () -> plan("x", List.of(), List.of(), Duration.ZERO));
    assertRefused("steps", () -> plan("x", steps(17, 1), List.of(), Duration.ZERO));
    assertRefused("steps", () -> steps(1, 0));
    assertRefused("steps", () -> steps(1, 9));
    assertRefused("steps", () -> new RunbookStep(groups(1), Duration.ofSeconds(-1)));
    assertRefused("steps", () -> new RunbookStep(groups(1), Duration.ofMinutes(61)));
    assertRefused(
        "holdFor", () -> plan("x", steps(1, 1), List.of(), Duration.ofHours(24).plusNanos(1)));
    assertRefused("holdFor", () -> plan("x", steps(1, 1), List.of(), Duration.ofNanos(-1)));
    assertRefused("oldest", () -> oldest(Duration.ZERO));
    assertRefused("oldest", () -> oldest(Duration.ofDays(3651)));
  }

  private static void oldest(Duration oldest) {
    var _ = new RunbookPlan("x", steps(1, 1), List.of(), List.of(), null, Duration.ZERO, oldest);
  }

  @Test
  void exportIsOfOneGroupToOneAudience() {
    List<RunbookStep> steps = steps(1, 1);
    UUID group = steps.getFirst().groups().getFirst();
    RunbookExport export = new RunbookExport(group, null, HOST, null);
    assertRefused("exports", () -> new RunbookExport(group, null, null, null));
    assertRefused("exports", () -> new RunbookExport(group, HOST, HOST, null));
    assertRefused("exports", () -> new RunbookExport(group, HOST, null, -1));
    assertRefused("exports", () -> new RunbookExport(group, HOST, null, 16384));
    assertRefused("exports", () -> plan("x", steps, List.of(export, export), Duration.ZERO));
    assertRefused("exports", () -> plan("x", steps(1, 1), List.of(export), Duration.ZERO));
  }

  @Test
  void groupIsInOneStep() {
    RunbookStep step = steps(1, 1).getFirst();
    assertRefused("steps", () -> plan("x", List.of(step, step), List.of(), Duration.ZERO));
  }

  @Test
  void scheduleIsATimeOfDayInAZone() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    TestSchedule daily = new TestSchedule(LocalTime.of(2, 30), berlin, new TreeSet<>());
    TestSchedule weekly =
        new TestSchedule(LocalTime.of(2, 30), berlin, new TreeSet<>(List.of(DayOfWeek.MONDAY)));

    assertThat(daily.nextAfter(Instant.parse("2026-03-28T12:00:00Z")))
        .as("the clocks go forward over it")
        .isEqualTo("2026-03-29T01:00:00Z");
    assertThat(weekly.nextAfter(Instant.parse("2026-11-29T12:00:00Z")))
        .isEqualTo("2026-11-30T01:30:00Z");
    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(() -> new TestSchedule(LocalTime.of(2, 30, 1), berlin, new TreeSet<>()));
  }
}
