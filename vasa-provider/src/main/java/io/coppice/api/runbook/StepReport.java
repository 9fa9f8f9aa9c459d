package io.coppice.api.runbook;

import java.util.List;

/// The report of a step.
///
/// @param number 1 for the first one
public record StepReport(int number, List<GroupReport> groups) {}
