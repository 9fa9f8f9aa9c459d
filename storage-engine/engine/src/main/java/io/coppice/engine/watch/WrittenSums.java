package io.coppice.engine.watch;

import io.coppice.engine.status.WrittenCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The sums of what was written to one volume since the pool was opened. The committer adds to
/// them, anybody reads: an addition is a plain load and a plain store.
public final class WrittenSums {

  private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int WRITTEN = 0;
  private static final int OVERWRITTEN = 1;
  private static final int UNMAPPED = 2;
  private static final int SAMPLES = 3;
  private static final int ENTROPY = 4;

  private final long[] sums = new long[5];

  /// Blocks until the next sample. Committer only.
  int untilSample;

  /// Counts blocks that were written.
  ///
  /// @param replaced how many of them had content before
  void wrote(long blocks, long replaced) {
    add(WRITTEN, blocks);
    if (replaced > 0) {
      add(OVERWRITTEN, replaced);
    }
  }

  void sampled(int entropy) {
    add(ENTROPY, entropy);
    add(SAMPLES, 1);
  }

  /// Counts blocks that had content and have none any more. Committer only.
  public void unmapped(long blocks) {
    if (blocks > 0) {
      add(UNMAPPED, blocks);
    }
  }

  private void add(int index, long number) {
    SUM.setRelease(sums, index, sums[index] + number);
  }

  private long sum(int index) {
    return (long) SUM.getAcquire(sums, index);
  }

  /// The sums of now; those of a write that is under way may be there in part.
  public WrittenCounts counts() {
    long samples = sum(SAMPLES); // before their entropy, so that the mean is never too low
    return new WrittenCounts(sum(WRITTEN), sum(OVERWRITTEN), sum(UNMAPPED), samples, sum(ENTROPY));
  }
}
