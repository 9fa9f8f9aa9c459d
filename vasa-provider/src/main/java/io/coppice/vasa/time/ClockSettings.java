package io.coppice.vasa.time;

import java.time.Duration;

/// Limits to the trust in the machine's clock.
///
/// @param largestStep most that it may differ from the time that passed, within an hour of running
/// @param countedOutage most of the time between a stop and a start that counts as passed
public record ClockSettings(Duration largestStep, Duration countedOutage) {}
