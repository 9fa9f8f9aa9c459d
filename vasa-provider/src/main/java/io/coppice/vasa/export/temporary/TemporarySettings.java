package io.coppice.vasa.export.temporary;

import java.time.Duration;

/// Limits of temporary exports.
///
/// @param kept how long one lasts if nobody says so
/// @param longest the most that is left of one after it was made or changed
/// @param most how many there may be at once
public record TemporarySettings(Duration kept, Duration longest, int most) {}
