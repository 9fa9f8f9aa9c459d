package io.coppice.engine.clean;

/// The work of the cleaner since the pool was opened.
///
/// | Component | Meaning |
/// |---|---|
/// | `zones` | zones that it emptied |
/// | `blocksMoved` | blocks that it stored once more |
/// | `blocksLeft` | living blocks that it left where they are, because they are damaged or do not read |
public record CleaningReport(long zones, long blocksMoved, long blocksLeft) {}
