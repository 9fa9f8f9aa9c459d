package io.coppice.vasa.task;

import java.time.Duration;

/// @param kept the time for which an ended task can be asked for
public record TaskSettings(Duration kept) {}
