package io.coppice.engine.timeline;

/// A point of one tier of a journal.
///
/// @param moment milliseconds since 1970 by the machine's clock
/// @param age milliseconds since 1970 by the pool's own time, by which it gets old
/// @param slot number of the first block that is kept after it
/// @param offset in the list of blocks, of what was written over after it
public record Point(long moment, long age, long slot, long offset) {}
