package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.actor.Actor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The steps of a run or test, one after the other, each with all of its groups at once.
///
/// *Crash argument:* the report is written before a group begins and after it has ended, and
/// nothing else remembers how far a run came. A run is repeatable: what failed over is left as it
/// is. What a crash leaves of a test is in the report of its steps, and the next start ends it.
/// Safe for any thread.
final class RunSteps {

  private final GroupTurn turn;
  private final InstantSource clock;

  RunSteps(GroupTurn turn, InstantSource clock) {
    this.turn = turn;
    this.clock = clock;
  }

  /// The reason for which steps stopped before the last one.
  ///
  /// @param step number of the one that failed, or that did not begin
  private record Stop(int step, boolean failed, String why) {}

  /// The results of a runbook's groups before the first step.
  List<StepResult> waiting(Runbook runbook) {
    return results(runbook, turn::waiting);
  }

  /// What would happen to each group.
  List<StepResult> check(Runbook runbook) {
    return results(runbook, group -> turn.check(runbook, group));
  }

  private static List<StepResult> results(Runbook runbook, Function<UUID, GroupResult> of) {
    List<StepResult> results = new ArrayList<>();
    for (RunbookStep step : runbook.plan().steps()) {
      results.add(new StepResult(results.size() + 1, step.groups().stream().map(of).toList()));
    }
    return results;
  }

  /// Fails all groups over.
  ///
  /// @return the report after its end; as it is if the process ends meanwhile
  RunbookRun failOver(ActiveRun run) {
    boolean planned = run.report().planned();
    Stop stop = walk(run, result -> turn.failOver(run.runbook(), result, planned));
    return end(run, stop, null);
  }

  /// Begins a test of all groups, holds it, and ends it.
  ///
  /// @return as [#failOver]
  RunbookRun test(ActiveRun run) {
    Runbook runbook = run.runbook();
    Stop stop =
        walk(
            run,
            result -> turn.startTest(runbook, result, one -> run.write(stepOf(runbook, one), one)));
    if (stop == null && !run.isHurried()) {
      run.state(RunState.HOLDING);
      run.pause(runbook.plan().holdFor());
    }
    if (run.isHalted()) {
      return run.report();
    }
    run.state(RunState.ENDING);
    return end(run, stop, endTests(run));
  }

  private static int stepOf(Runbook runbook, GroupResult result) {
    List<RunbookStep> steps = runbook.plan().steps();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).groups().contains(result.group())) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException("no step has group " + result.group());
  }

  private RunbookRun end(ActiveRun run, @Nullable Stop stop, @Nullable String left) {
    if (run.isHalted()) {
      return run.report();
    }
    RunState state = RunState.SUCCEEDED;
    if (stop != null) {
      state = stop.failed() ? RunState.FAILED : RunState.CUT;
    }
    String why = stop == null ? null : stop.why();
    if (left != null) {
      state = RunState.FAILED;
      why = why == null ? left : why + "; " + left;
    }
    RunbookRun ended =
        run.report()
            .end(state, clock.instant(), stop != null && stop.failed() ? stop.step() : null, why);
    run.write(ended);
    return ended;
  }

  // ---- steps

  /// The work of one group: its result, from that with which it begins.
  private interface Work {
    GroupResult of(GroupResult begun);
  }

  private @Nullable Stop walk(ActiveRun run, Work work) {
    List<RunbookStep> steps = run.runbook().plan().steps();
    for (int number = 1; number <= steps.size(); number++) {
      if (run.isHurried()) {
        return new Stop(
            number, false, "it was ended by request before step %d began".formatted(number));
      }
      RunbookStep step = steps.get(number - 1);
      all(run, number, step, work);
      GroupResult failed = run.step(number).failed().orElse(null);
      if (failed != null) {
        return new Stop(number, true, sentence(number, failed));
      }
      if (number < steps.size()) {
        run.pause(step.pause());
      }
    }
    return null;
  }

  /// Why a step failed.
  static String sentence(int number, GroupResult failed) {
    return "step %d, group %s: %s"
        .formatted(number, failed.name(), String.join("; ", failed.sentences()));
  }

  /// Does the work of all groups of a step at once, on behalf of whoever the caller works for.
  private static void all(ActiveRun run, int number, RunbookStep step, Work work) {
    Actor actor = Actor.current();
    List<Thread> threads = new ArrayList<>();
    for (UUID group : step.groups()) {
      GroupResult begun = run.result(number, group).with(GroupOutcome.GOING);
      run.write(number, begun);
      Runnable one = () -> actor.run(() -> run.write(number, work.of(begun)));
      threads.add(Thread.ofVirtual().name("runbook-group").start(one));
    }
    boolean isInterrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true; // a group that has begun is waited for
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    boolean isUnknown =
        run.step(number).groups().stream().anyMatch(one -> one.outcome() == GroupOutcome.GOING);
    if (isUnknown) {
      throw new IllegalStateException("the end of step %d could not be written".formatted(number));
    }
  }

  // ---- the end of tests

  /// Ends the tests that a run began, the last step first.
  ///
  /// @return why not all of them ended; null if they did
  @Nullable String endTests(ActiveRun run) {
    String left = null;
    for (StepResult step : run.report().steps().reversed()) {
      for (GroupResult result : step.groups().reversed()) {
        if (result.testSince() != null) {
          GroupResult ended = turn.endTest(run.runbook(), result);
          run.write(step.number(), ended);
          if (ended.testSince() != null && left == null) {
            left = sentence(step.number(), ended);
          }
        }
      }
    }
    return left;
  }

  /// Says of a run that a restart cut which groups were at it.
  void cut(ActiveRun run) {
    for (StepResult step : run.report().steps()) {
      for (GroupResult result : step.groups()) {
        if (result.outcome() == GroupOutcome.GOING) {
          run.write(step.number(), turn.cut(result));
        }
      }
    }
  }
}
