package io.coppice.api.system;

import org.jspecify.annotations.Nullable;

/// The outcome of one check of a verdict, or an active alert.
///
/// @param topic a word or two, `alert` for an alert
/// @param outcome `ok`, `warn`, `fail` or `skipped`
/// @param seen what was seen
/// @param remedy null if there is none, or `seen` has it
public record VerdictCheck(String topic, String outcome, String seen, @Nullable String remedy) {}
