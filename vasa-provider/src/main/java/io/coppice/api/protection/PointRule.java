package io.coppice.api.protection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rule of a protection policy. Each kind has fields of its own; those of others are null.
///
/// @param kind `every`, `hourly`, `daily`, `weekly` or `monthly`
/// @param interval of `every`, in ISO 8601
/// @param minute of `hourly`, 0 to 59
/// @param at time of day of `daily`, `weekly` and `monthly`, such as `02:00`
/// @param zone in which `at` is meant, such as `Europe/Berlin`
/// @param days of `weekly`, such as `monday`
/// @param day of `monthly`: 1 to 31, or `last`
/// @param months of `monthly`, such as `january`; null for all
/// @param keepCount how many points are kept; null if `keepFor` says for how long
/// @param keepFor how long points are kept, in ISO 8601; null if `keepCount` says how many
/// @param lock how long each point is locked from its making, in ISO 8601; null for not at all
/// @param pattern of the names of points; null for the usual one
public record PointRule(
    @Nullable String name,
    @Nullable String kind,
    @Nullable String interval,
    @Nullable Integer minute,
    @Nullable String at,
    @Nullable String zone,
    @Nullable List<String> days,
    @Nullable String day,
    @Nullable List<String> months,
    @Nullable Integer keepCount,
    @Nullable String keepFor,
    @Nullable String lock,
    @Nullable String pattern) {}
