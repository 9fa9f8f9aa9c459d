package io.coppice.vasa.volume.bin;

import java.time.Duration;

/// The limits of the recycle bin.
///
/// @param time how long something stays, unless its container says otherwise; zero: nothing does
/// @param freePercent free space of the pool, in percent of its capacity, below which what is there
///   longest goes early; 0: only for a call that finds no space
public record BinSettings(Duration time, int freePercent) {}
