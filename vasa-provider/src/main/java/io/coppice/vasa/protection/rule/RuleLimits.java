package io.coppice.vasa.protection.rule;

import java.time.Duration;

/// Limits to the rules of one policy.
///
/// @param rules most rules
/// @param shortestInterval least interval of [Recurrence.Every]
/// @param points most points that all rules together keep of one group
public record RuleLimits(int rules, Duration shortestInterval, int points) {}
