package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import java.util.Map;
import java.util.Objects;

/// Changes of runbooks and ends of their runs, as the history of changes has them.
final class RunbookChanges {

  private RunbookChanges() {}

  /// A runbook was made, changed or removed.
  static NewChange of(Runbook runbook, ChangeKind kind) {
    return change(
        runbook,
        kind,
        kind.wireName(),
        Map.of(
            "runbook",
            named(runbook),
            "steps",
            Integer.toString(runbook.plan().steps().size()),
            "groups",
            Integer.toString(runbook.plan().groups().size())));
  }

  /// A run or test began.
  static NewChange begun(Runbook runbook, RunbookRun run) {
    return change(
        runbook, ChangeKind.UPDATE, word(run) + "Begun", Map.of("runbook", named(runbook)));
  }

  /// A test was told to end.
  static NewChange told(Runbook runbook) {
    return change(runbook, ChangeKind.UPDATE, "TestTold", Map.of("runbook", named(runbook)));
  }

  /// A run, test or check ended.
  static NewChange ended(Runbook runbook, RunbookRun run) {
    String why = Objects.requireNonNullElse(run.sentence(), "");
    return change(
        runbook,
        ChangeKind.UPDATE,
        word(run)
            + switch (run.state()) {
              case FAILED -> "Failed";
              case CUT -> "Cut";
              case RUNNING, HOLDING, ENDING, SUCCEEDED -> "Ended";
            },
        run.state() == RunState.SUCCEEDED
            ? Map.of("runbook", named(runbook))
            : Map.of("runbook", named(runbook), "what", why));
  }

  private static String word(RunbookRun run) {
    return switch (run.kind()) {
      case CHECK -> "Check";
      case TEST -> "Test";
      case RUN -> "Run";
    };
  }

  private static NewChange change(
      Runbook runbook, ChangeKind kind, String message, Map<String, String> parameters) {
    return NewChange.of(
        ChangeTopic.CONFIG,
        kind,
        new NewChange.Subject(ObjectType.RUNBOOK, runbook.id().toString(), "Runbook" + message),
        parameters);
  }

  private static String named(Runbook runbook) {
    return "%s (%s)".formatted(runbook.plan().name(), runbook.id());
  }
}
