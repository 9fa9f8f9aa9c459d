package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.replication.runbook.RunState;
import io.coppice.vasa.replication.runbook.Runbook;
import io.coppice.vasa.replication.runbook.RunbookRun;
import io.coppice.vasa.replication.runbook.Runbooks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Runbooks whose last test failed. One that ends well clears it; one that was cut says nothing.
public final class RunbookSource implements AlertSource {

  private final Runbooks runbooks;

  public RunbookSource(Runbooks runbooks) {
    this.runbooks = runbooks;
  }

  @Override
  public String name() {
    return "runbooks";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    return runbooks.list().stream().flatMap(this::finding).toList();
  }

  private Stream<AlertFinding> finding(Runbook runbook) {
    return runbooks.lastTest(runbook.id()).stream()
        .filter(test -> test.state() == RunState.FAILED)
        .map(test -> finding(runbook, test));
  }

  private static AlertFinding finding(Runbook runbook, RunbookRun test) {
    return new AlertFinding(
        "runbook-test-" + runbook.id(),
        AlertSeverity.WARNING,
        new AlertSubject("runbook", runbook.id().toString(), runbook.plan().name(), null),
        "RunbookTestFailed",
        Map.of(
            "runbook",
            runbook.plan().name(),
            "what",
            Objects.requireNonNullElse(test.sentence(), "its report says why")));
  }
}
