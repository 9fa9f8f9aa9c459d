package io.coppice.vasa.protection;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A choice of recovery points.
///
/// @param group only those of a protected group; null for any
/// @param rule only those that a rule of this name wanted; null for any
/// @param name only those of this name; null for any
public record PointChoice(@Nullable UUID group, @Nullable String rule, @Nullable String name) {}
