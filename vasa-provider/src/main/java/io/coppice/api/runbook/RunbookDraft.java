package io.coppice.api.runbook;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A runbook to be made, or what changes of one; what is null stays.
///
/// @param exports of volumes after a fail-over
/// @param exportTests exports of the volumes of tests; none for no exports
/// @param schedule when a test begins by itself
/// @param scheduled `false` takes the schedule away; null or `true` leaves it
/// @param holdFor how long a test holds, in ISO 8601
/// @param oldest age from which a replica is too old, in ISO 8601; empty for none
public record RunbookDraft(
    @Nullable String name,
    @Nullable List<StepEntry> steps,
    @Nullable List<ExportEntry> exports,
    @Nullable List<ExportEntry> exportTests,
    @Nullable TestTimes schedule,
    @Nullable Boolean scheduled,
    @Nullable String holdFor,
    @Nullable String oldest) {}
