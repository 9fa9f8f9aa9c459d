package io.coppice.vasa.replication.runbook;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A run, test or check by a runbook, and its report.
///
/// @param number greater than those of earlier ones of the runbook
/// @param planned whether the sources must have prepared it
/// @param by who asked for it, as events name actors
/// @param ended null while it goes on
/// @param failedStep number of the step that failed; null for none
/// @param sentence why it failed or was cut; null if it did not and was not
public record RunbookRun(
    UUID id,
    UUID runbook,
    long number,
    RunKind kind,
    boolean planned,
    String by,
    Instant begun,
    @Nullable Instant ended,
    RunState state,
    @Nullable Integer failedStep,
    @Nullable String sentence,
    List<StepResult> steps) {

  public RunbookRun {
    Stream.of(id, runbook, kind, by, begun, state).forEach(Objects::requireNonNull);
    by = ShortText.name(by);
    sentence = sentence == null ? null : ShortText.sentence(sentence);
    steps = List.copyOf(steps);
  }

  RunbookRun with(RunState next) {
    return new RunbookRun(
        id, runbook, number, kind, planned, by, begun, ended, next, failedStep, sentence, steps);
  }

  RunbookRun with(List<StepResult> results) {
    return new RunbookRun(
        id, runbook, number, kind, planned, by, begun, ended, state, failedStep, sentence, results);
  }

  RunbookRun with(StepResult result) {
    return with(steps.stream().map(one -> one.number() == result.number() ? result : one).toList());
  }

  RunbookRun end(RunState last, Instant now, @Nullable Integer step, @Nullable String why) {
    return new RunbookRun(
        id, runbook, number, kind, planned, by, begun, now, last, step, why, steps);
  }

  /// Whether tests that it began are to be ended still.
  public boolean hasOpenTests() {
    return steps.stream().anyMatch(StepResult::hasOpenTests);
  }
}
