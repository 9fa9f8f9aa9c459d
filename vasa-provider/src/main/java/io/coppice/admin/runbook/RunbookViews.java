package io.coppice.admin.runbook;

import io.coppice.admin.field.IsoDurations;
import io.coppice.api.runbook.GroupReport;
import io.coppice.api.runbook.RunReport;
import io.coppice.api.runbook.RunbookView;
import io.coppice.api.runbook.StepReport;
import io.coppice.vasa.replication.runbook.GroupResult;
import io.coppice.vasa.replication.runbook.Runbook;
import io.coppice.vasa.replication.runbook.RunbookPlan;
import io.coppice.vasa.replication.runbook.RunbookRun;
import io.coppice.vasa.replication.runbook.Runbooks;
import io.coppice.vasa.replication.runbook.StepResult;
import io.coppice.vasa.replication.runbook.TestSchedule;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Runbooks and their reports, as REST shows them.
@Component
final class RunbookViews {

  private final Runbooks runbooks;
  private final InstantSource clock;

  RunbookViews(Runbooks runbooks, InstantSource clock) {
    this.runbooks = runbooks;
    this.clock = clock;
  }

  RunbookView view(Runbook runbook) {
    RunbookPlan plan = runbook.plan();
    Optional<RunbookRun> tested = runbooks.lastTest(runbook.id());
    TestSchedule schedule = plan.schedule();
    return new RunbookView(
        runbook.id(),
        plan.name(),
        RunbookFields.steps(plan),
        RunbookFields.entries(plan.exports()),
        RunbookFields.entries(plan.exportTests()),
        RunbookFields.times(schedule),
        Objects.requireNonNull(IsoDurations.text(plan.holdFor())),
        IsoDurations.text(plan.oldest()),
        schedule == null ? null : schedule.nextAfter(clock.instant()),
        tested.map(RunbookRun::ended).orElse(null),
        tested.map(test -> RunbookFields.text(test.state())).orElse(null),
        tested.map(RunbookRun::sentence).orElse(null),
        runbooks.goingOn(runbook.id()).map(RunbookRun::id).orElse(null));
  }

  static RunReport view(RunbookRun run) {
    return new RunReport(
        run.id(),
        run.runbook(),
        run.number(),
        RunbookFields.text(run.kind()),
        RunbookFields.text(run.state()),
        run.planned(),
        run.by(),
        run.begun(),
        run.ended(),
        run.failedStep(),
        run.sentence(),
        run.hasOpenTests(),
        run.steps().stream().map(RunbookViews::view).toList());
  }

  private static StepReport view(StepResult step) {
    return new StepReport(step.number(), step.groups().stream().map(RunbookViews::view).toList());
  }

  private static GroupReport view(GroupResult result) {
    return new GroupReport(
        result.group(),
        result.name(),
        RunbookFields.text(result.outcome()),
        result.replica(),
        result.taken(),
        IsoDurations.text(result.age()),
        IsoDurations.text(result.took()),
        result.exported(),
        result.sentences());
  }
}
