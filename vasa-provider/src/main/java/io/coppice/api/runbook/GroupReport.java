package io.coppice.api.runbook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The report for a replication group.
///
/// @param group its id
/// @param name as it was then
/// @param outcome `waiting`, `going`, `done`, `already`, `ready`, `missing`, `failed` or `cut`
/// @param replica that was used, or would be
/// @param taken when that one was taken
/// @param age of the replica then, in ISO 8601
/// @param took how long it took, in ISO 8601
/// @param exported number of volumes that were exported
/// @param sentences what failed or is missing
public record GroupReport(
    UUID group,
    String name,
    String outcome,
    @Nullable UUID replica,
    @Nullable Instant taken,
    @Nullable String age,
    @Nullable String took,
    int exported,
    List<String> sentences) {}
