package io.coppice.api.runbook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The report of a run, test or check.
///
/// @param kind `run`, `test` or `check`
/// @param state `running`, `holding`, `ending`, `succeeded`, `failed` or `cut`
/// @param by who asked for it
/// @param failedStep number of the step that failed
/// @param sentence why it failed or was cut
/// @param testsOpen whether tests that it began are to be ended still
public record RunReport(
    UUID id,
    UUID runbook,
    long number,
    String kind,
    String state,
    boolean planned,
    String by,
    Instant begun,
    @Nullable Instant ended,
    @Nullable Integer failedStep,
    @Nullable String sentence,
    boolean testsOpen,
    List<StepReport> steps) {}
