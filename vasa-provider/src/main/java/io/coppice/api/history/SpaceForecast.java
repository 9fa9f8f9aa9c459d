package io.coppice.api.history;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An answer to when the pool or a container is full.
///
/// @param outcome `filling`, `full`, `notGrowing` or `tooLittleHistory`
/// @param sentence the answer in words
/// @param used bytes that are taken; null if that is not known
/// @param size bytes that can be taken; null if that is not known
/// @param fullAt null unless that is foreseen
/// @param sureness `high`, `medium` or `low`; null unless a time is foreseen
public record SpaceForecast(
    String outcome,
    String sentence,
    @Nullable Long used,
    @Nullable Long size,
    @Nullable Instant fullAt,
    @Nullable String sureness,
    List<SpaceTrend> trends) {}
