package io.coppice.engine.watch;

import java.nio.ByteBuffer;

/// The sampler of what is written. It counts each write and measures one block of about
/// [#MEAN_GAP], at most one of each command. It allocates nothing. Committer only.
///
/// It counts blocks rather than batches: a batch has one block while a host writes one after the
/// other, and a sample of each would cost some percents of a write. The gaps vary, so that data
/// that repeats at an even distance is not met again and again.
public final class WriteSampler {

  /// Blocks from one sample to the next, as a mean.
  public static final int MEAN_GAP = 16;

  private final EntropyMeter meter = new EntropyMeter();
  private int random = 0x2545F491;

  /// Counts a write of whole blocks.
  ///
  /// @param at where the first one begins in the buffer, which is left as it is
  /// @param replaced how many of the blocks had content before
  public void wrote(WrittenSums sums, ByteBuffer bytes, int at, int blocks, long replaced) {
    sums.wrote(blocks, replaced);
    if (sums.untilSample >= blocks) {
      sums.untilSample -= blocks;
      return;
    }
    sums.sampled(meter.measure(bytes, at + sums.untilSample * 4096));
    sums.untilSample = gap();
  }

  /// A gap of 0 to 30 blocks, from a generator by George Marsaglia (xorshift).
  private int gap() {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 1) % (2 * MEAN_GAP - 1);
  }
}
