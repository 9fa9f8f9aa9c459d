package io.coppice.engine.status;

/// The counts of what was written to a volume since the pool was opened. Each figure only grows.
/// Repeated blocks, copies and zeros are not among what was written.
///
/// | Component | Meaning |
/// |---|---|
/// | `written` | blocks of 4 KiB that were written |
/// | `overwritten` | those of them that had content before |
/// | `unmapped` | blocks that had content and have none any more |
/// | `samples` | blocks, about one of 16 written, whose entropy was measured |
/// | `entropy` | the entropy of the samples, added up, in thousandths of a bit for each byte |
public record WrittenCounts(
    long written, long overwritten, long unmapped, long samples, long entropy) {

  /// The counts of a volume to which nothing was written.
  public static final WrittenCounts NONE = new WrittenCounts(0, 0, 0, 0, 0);
}
