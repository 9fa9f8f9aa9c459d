package io.coppice.api.runbook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A runbook.
///
/// @param next when the next test begins by itself
/// @param tested when its last test ended that came to an end
/// @param testState `succeeded` or `failed`
/// @param testSentence why that one failed
/// @param goesOn id of the run or test that goes on
public record RunbookView(
    UUID id,
    String name,
    List<StepEntry> steps,
    List<ExportEntry> exports,
    List<ExportEntry> exportTests,
    @Nullable TestTimes schedule,
    String holdFor,
    @Nullable String oldest,
    @Nullable Instant next,
    @Nullable Instant tested,
    @Nullable String testState,
    @Nullable String testSentence,
    @Nullable UUID goesOn) {}
