package io.coppice.admin.runbook;

import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.field.NameField;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.runbook.ExportEntry;
import io.coppice.api.runbook.RunbookDraft;
import io.coppice.api.runbook.StepEntry;
import io.coppice.api.runbook.TestTimes;
import io.coppice.vasa.protection.rule.ZoneNames;
import io.coppice.vasa.replication.runbook.RunbookExport;
import io.coppice.vasa.replication.runbook.RunbookNames;
import io.coppice.vasa.replication.runbook.RunbookPlan;
import io.coppice.vasa.replication.runbook.RunbookStep;
import io.coppice.vasa.replication.runbook.TestSchedule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Plans of runbooks, from and to their fields in JSON.
final class RunbookFields {

  private static final String STEPS = "steps";
  private static final String SCHEDULE = "schedule";

  private final RunbookNames names;

  RunbookFields(RunbookNames names) {
    this.names = names;
  }

  /// The plan of a new runbook.
  ///
  /// @throws RequestRejectedException if a field is missing or has another form
  RunbookPlan parse(RunbookDraft wanted) {
    return new RunbookPlan(
        NameField.oneLine(wanted.name()),
        steps(RequestRejectedException.requireField(STEPS, wanted.steps())),
        exports("exports", Objects.requireNonNullElse(wanted.exports(), List.of())),
        exports("exportTests", Objects.requireNonNullElse(wanted.exportTests(), List.of())),
        schedule(null, wanted),
        wanted.holdFor() == null ? Duration.ZERO : time("holdFor", wanted.holdFor()),
        oldest(null, wanted.oldest()));
  }

  /// A plan with what is given in place of what it had.
  ///
  /// @throws RequestRejectedException as [#parse]
  RunbookPlan change(RunbookPlan now, RunbookDraft wanted) {
    return new RunbookPlan(
        wanted.name() == null ? now.name() : NameField.oneLine(wanted.name()),
        wanted.steps() == null ? now.steps() : steps(wanted.steps()),
        wanted.exports() == null ? now.exports() : exports("exports", wanted.exports()),
        wanted.exportTests() == null
            ? now.exportTests()
            : exports("exportTests", wanted.exportTests()),
        schedule(now.schedule(), wanted),
        wanted.holdFor() == null ? now.holdFor() : time("holdFor", wanted.holdFor()),
        oldest(now.oldest(), wanted.oldest()));
  }

  private List<RunbookStep> steps(List<StepEntry> wanted) {
    return wanted.stream().map(this::step).toList();
  }

  private RunbookStep step(@Nullable StepEntry entry) {
    List<String> groups = entry == null ? null : entry.groups();
    if (entry == null || groups == null) {
      throw RequestRejectedException.field(STEPS, "expected the groups of each step, got none");
    }
    List<UUID> ids = groups.stream().map(text -> names.group(STEPS, need(STEPS, text))).toList();
    return new RunbookStep(ids, entry.pause() == null ? Duration.ZERO : time(STEPS, entry.pause()));
  }

  private static String need(String field, @Nullable String text) {
    if (text == null || text.isBlank()) {
      throw RequestRejectedException.field(field, "expected an id or a name, got none");
    }
    return text;
  }

  private List<RunbookExport> exports(String field, List<ExportEntry> wanted) {
    return wanted.stream().map(entry -> export(field, entry)).toList();
  }

  private RunbookExport export(String field, @Nullable ExportEntry entry) {
    if (entry == null) {
      throw RequestRejectedException.field(field, "expected exports, got null");
    }
    String hosts = entry.hostGroup();
    String host = entry.host();
    return RequestRejectedException.about(
        field,
        () ->
            new RunbookExport(
                names.group(field, need(field, entry.group())),
                hosts == null ? null : names.hostGroup(field, need(field, hosts)),
                host == null ? null : names.host(field, need(field, host)),
                entry.lun()));
  }

  private static @Nullable TestSchedule schedule(@Nullable TestSchedule now, RunbookDraft wanted) {
    TestTimes times = wanted.schedule();
    if (Boolean.FALSE.equals(wanted.scheduled())) {
      return null;
    }
    return times == null ? now : schedule(times);
  }

  private static TestSchedule schedule(TestTimes times) {
    String at = RequestRejectedException.requireField(SCHEDULE, times.at());
    String zone = RequestRejectedException.requireField(SCHEDULE, times.zone());
    TreeSet<DayOfWeek> days = new TreeSet<>();
    for (String day : Objects.requireNonNullElse(times.days(), List.<String>of())) {
      days.add(day(day));
    }
    return RequestRejectedException.about(
        SCHEDULE, () -> new TestSchedule(at(at), ZoneNames.parse(zone), days));
  }

  private static LocalTime at(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw RequestRejectedException.field(
          SCHEDULE, "expected a time of day such as 02:00, got '%s'".formatted(text));
    }
  }

  private static DayOfWeek day(@Nullable String text) {
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> text(day).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                RequestRejectedException.field(
                    SCHEDULE, "expected days from monday to sunday, got '%s'".formatted(text)));
  }

  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Duration oldest(@Nullable Duration now, @Nullable String text) {
    if (text == null) {
      return now;
    }
    return text.isEmpty() ? null : time("oldest", text);
  }

  private static Duration time(String field, String text) {
    return Objects.requireNonNull(IsoDurations.parse(field, text));
  }

  // ---- shown

  static List<StepEntry> steps(RunbookPlan plan) {
    return plan.steps().stream()
        .map(
            step ->
                new StepEntry(
                    step.groups().stream().map(UUID::toString).toList(),
                    IsoDurations.text(step.pause())))
        .toList();
  }

  static List<ExportEntry> entries(List<RunbookExport> exports) {
    return exports.stream()
        .map(
            one ->
                new ExportEntry(
                    one.group().toString(), text(one.hostGroup()), text(one.host()), one.lun()))
        .toList();
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }

  static @Nullable TestTimes times(@Nullable TestSchedule schedule) {
    return schedule == null
        ? null
        : new TestTimes(
            schedule.at().toString(),
            schedule.zone().getId(),
            schedule.days().stream().map(RunbookFields::text).toList());
  }
}
