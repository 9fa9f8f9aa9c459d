package io.coppice.cli.noun;

import io.coppice.api.runbook.ExportEntry;
import io.coppice.api.runbook.GroupReport;
import io.coppice.api.runbook.RunReport;
import io.coppice.api.runbook.RunbookDraft;
import io.coppice.api.runbook.RunbookOrder;
import io.coppice.api.runbook.RunbookView;
import io.coppice.api.runbook.StepEntry;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.line.RunbookLine;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.TextTable;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The noun of what happens in a disaster, and of its tests.
final class RunbookNoun {

  private static final View<RunbookView> RUNBOOKS =
      View.of(
          RunbookView.class,
          RunbookView::id,
          Column.of("NAME", RunbookView::name),
          Column.number("STEPS", one -> one.steps().size()),
          Column.of("TESTS", one -> RunbookLine.of(one.schedule())),
          Column.of("TESTED", RunbookView::tested),
          Column.of("RESULT", RunbookView::testState),
          Column.of("ID", RunbookView::id),
          Column.<RunbookView>of("NEXT", RunbookView::next).onlyWide(),
          Column.<RunbookView>of("HOLD", one -> TimeSpan.text(one.holdFor())).onlyWide(),
          Column.<RunbookView>of("OLDEST", one -> TimeSpan.text(one.oldest())).onlyWide(),
          Column.<RunbookView>of("GOES ON", RunbookView::goesOn).onlyWide(),
          Column.<RunbookView>of("WHY", RunbookView::testSentence).onlyWide());

  private static final View<RunReport> RUNS =
      View.of(
          RunReport.class,
          RunReport::id,
          Column.number("NUMBER", RunReport::number),
          Column.of("KIND", RunReport::kind),
          Column.of("STATE", RunReport::state),
          Column.of("BEGUN", RunReport::begun),
          Column.of("ENDED", RunReport::ended),
          Column.of("BY", RunReport::by),
          Column.of("WHY", RunReport::sentence),
          Column.of("ID", RunReport::id),
          Column.<RunReport>of("PLANNED", RunReport::planned).onlyWide(),
          Column.<RunReport>of("TESTS OPEN", RunReport::testsOpen).onlyWide());

  /// A group of a report.
  ///
  /// @param step number of its step
  private record Line(int step, GroupReport group) {}

  private static final List<Column<Line>> LINES =
      List.of(
          Column.number("STEP", Line::step),
          Column.of("GROUP", line -> line.group().name()),
          Column.of("OUTCOME", line -> line.group().outcome()),
          Column.of("AGE", line -> TimeSpan.text(line.group().age())),
          Column.of("TOOK", line -> TimeSpan.text(line.group().took())),
          Column.number("EXPORTED", line -> line.group().exported()),
          Column.of("WHY", line -> String.join("; ", line.group().sentences())),
          Column.<Line>of("REPLICA", line -> line.group().replica()).onlyWide(),
          Column.<Line>of("TAKEN", line -> line.group().taken()).onlyWide(),
          Column.<Line>of("ID", line -> line.group().group()).onlyWide());

  private static final String ALL = "/replication/runbooks";
  private static final String ONE = ALL + "/{id}";
  private static final String NONE = "none";

  private static final Argument RUNBOOK = Argument.of(Kind.RUNBOOK, "id");

  private static final Flag STEP =
      Flag.of("--step", "STEP", "groups, such as '%s'; repeatable".formatted(RunbookLine.STEP))
          .repeated();
  private static final Flag EXPORT =
      Flag.of(
              "--export",
              "EXPORT",
              "hosts for a group's volumes, such as '%s'; repeatable".formatted(RunbookLine.EXPORT))
          .repeated();
  private static final Flag TEST_EXPORT =
      Flag.of("--test-export", "EXPORT", "as --export, for tests; repeatable").repeated();
  private static final Flag SCHEDULE =
      Flag.of(
          "--schedule", "TIMES", "when it is tested, such as '%s'".formatted(RunbookLine.TIMES));
  private static final Flag HOLD = Flag.of("--hold", "TIME", "how long a test holds (0s)");
  private static final Flag OLDEST =
      Flag.of("--oldest", "TIME", "age from which a replica is too old for tests and checks");

  private RunbookNoun() {}

  static Noun noun() {
    return Noun.of(
        "runbook",
        "which replication groups fail over in which order, and tests of that",
        RestVerb.of("create", "POST " + ALL, "makes a runbook, at the site that takes over")
            .on(Argument.text("NAME", "its name"))
            .with(
                Flag.of("--step", "STEP", STEP.help()).repeated().needed(),
                EXPORT,
                TEST_EXPORT,
                SCHEDULE,
                HOLD,
                OLDEST)
            .body(in -> draft(in.need("NAME"), in))
            .row(RUNBOOKS),
        RestVerb.of("list", "GET " + ALL, "lists runbooks, with their last tests")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("name")
            .list(RUNBOOKS),
        RestVerb.of("show", "GET " + ONE, "shows all fields of a runbook")
            .on(RUNBOOK)
            .tagged()
            .sheet(RUNBOOKS),
        change(),
        RestVerb.of("remove", "DELETE " + ONE, "forgets a runbook and its reports")
            .on(RUNBOOK)
            .guarded()
            .done("runbook {RUNBOOK} is removed"),
        RestVerb.of(
                "check", "POST " + ONE + "/check", "says what would happen, and what is missing")
            .on(RUNBOOK)
            .shown(RunbookNoun::printChecked),
        RestVerb.of("run", "POST " + ONE + "/run", "fails over for real, step by step")
            .on(RUNBOOK)
            .with(Flag.on("--planned", "only what its source has prepared"))
            .asking("Fail over for real, so that the volumes of all its groups run here? (yes/no) ")
            .body(in -> in.isOn("--planned") ? new RunbookOrder(true) : null)
            .row(RUNS),
        RestVerb.of("test", "POST " + ONE + "/test", "shows the volumes of all groups for a while")
            .on(RUNBOOK)
            .row(RUNS),
        RestVerb.of("end-test", "DELETE " + ONE + "/test", "ends a test, and deletes its volumes")
            .on(RUNBOOK)
            .row(RUNS),
        RestVerb.of("runs", "GET " + ONE + "/runs", "lists reports, the newest first")
            .on(RUNBOOK)
            .sortedBy("number", "begun", "ended")
            .list(RUNS),
        RestVerb.of("report", "GET " + ONE + "/runs/{run}", "shows a report with its groups")
            .on(RUNBOOK, Argument.path("RUN", "run", "id of the run"))
            .shown(RunbookNoun::print));
  }

  private static Verb change() {
    return RestVerb.of(
            "change",
            "PATCH " + ONE,
            "changes what is given; --step, --export and --test-export replace all, 'none' takes all away")
        .on(RUNBOOK)
        .with(
            Flag.of("--name", "NAME", "a new name"),
            STEP,
            EXPORT,
            TEST_EXPORT,
            SCHEDULE,
            HOLD,
            OLDEST)
        .guarded()
        .body(in -> draft(in.text("--name"), in))
        .row(RUNBOOKS);
  }

  private static RunbookDraft draft(@Nullable String name, Inputs in) {
    List<String> steps = in.texts("--step");
    String schedule = in.text("--schedule");
    boolean isUnscheduled = NONE.equals(schedule);
    List<StepEntry> entries = steps.stream().map(RunbookLine::step).toList();
    return new RunbookDraft(
        name,
        entries.isEmpty() ? null : entries,
        exports("--export", in),
        exports("--test-export", in),
        schedule == null || isUnscheduled ? null : RunbookLine.times(schedule),
        isUnscheduled ? false : null,
        in.time("--hold"),
        NONE.equals(in.text("--oldest")) ? "" : in.time("--oldest"));
  }

  /// The exports that are given, which `none` makes none; null if nothing is.
  private static @Nullable List<ExportEntry> exports(String option, Inputs in) {
    List<String> lines = in.texts(option);
    return lines.isEmpty()
        ? null
        : lines.stream()
            .filter(line -> !line.equals(NONE))
            .map(line -> RunbookLine.export(option, line))
            .toList();
  }

  // ---- reports

  private static void print(ClientSession session, JsonNode answer) {
    OutputFormat format = session.common().format();
    if (format != OutputFormat.TABLE && format != OutputFormat.WIDE) {
      session.printRow(RUNS, answer);
      return;
    }
    RunReport report = Notation.as(answer, RunReport.class);
    List<Line> lines =
        report.steps().stream()
            .flatMap(step -> step.groups().stream().map(group -> new Line(step.number(), group)))
            .toList();
    session.surroundings().out().print(TextTable.of(LINES, lines, format == OutputFormat.WIDE));
    String sentence = report.sentence();
    session.printDone(
        "%s %d: %s%s"
            .formatted(
                report.kind(),
                report.number(),
                report.state(),
                sentence == null ? "" : ", " + sentence));
  }

  /// @throws CommandFailedException if something is missing
  private static void printChecked(ClientSession session, JsonNode answer) {
    print(session, answer);
    RunReport report = Notation.as(answer, RunReport.class);
    if (!report.state().equals("succeeded")) {
      throw new CommandFailedException(
          ExitStatus.JOB_FAILED,
          "something is missing: %s".formatted(Objects.requireNonNullElse(report.sentence(), "")));
    }
  }
}
