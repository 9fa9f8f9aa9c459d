package io.coppice.vasa.housekeeping;

import java.time.Duration;

/// Limits of what counts as an orphan.
///
/// @param after how old it is at least: what is younger may be in the middle of being made
public record OrphanSettings(Duration after) {}
