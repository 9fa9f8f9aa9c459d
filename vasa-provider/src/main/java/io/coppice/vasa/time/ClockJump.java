package io.coppice.vasa.time;

import java.time.Duration;
import java.time.Instant;

/// A difference between the machine's clock and the time that passed.
///
/// @param by how far the clock moved without time passing, negative if it went back
/// @param at the machine's clock after it
public record ClockJump(Duration by, Instant at) {}
