package io.coppice.vasa.time;

import java.time.Duration;

/// Limits to how far the machine's clock is believed.
///
/// @param largestStep what it may differ from the time that passed, within an hour of running
/// @param countedOutage most of the time between a stop and a start that counts as passed
public record ClockSettings(Duration largestStep, Duration countedOutage) {}
