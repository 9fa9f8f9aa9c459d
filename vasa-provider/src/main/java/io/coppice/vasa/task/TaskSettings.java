package io.coppice.vasa.task;

import java.time.Duration;

/// @param kept how long a task that has ended can be asked for
public record TaskSettings(Duration kept) {}
