package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.QuietEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A pool on two devices, of which one is damaged while the other one is away, which then is filled
/// from it: what either of them could give is never lost, and what the fill says is exact. The
/// seeds from `-Dfill.first` (1) on, `-Dfill.seeds` (40) of them; `-Dtest.seed` for one alone.
@ExtendWith(QuietEngine.class)
class DoubleFaultTest {

  private static final int SEEDS = Integer.getInteger("fill.seeds", 40);
  private static final long FIRST = Long.getLong("fill.first", 1);

  @Test
  @Timeout(3600)
  void whatEitherDeviceCouldGiveIsOnBothAfterAFillAndTheRestIsNamed() {
    Long one = Long.getLong("test.seed");
    int lost = 0;
    int mended = 0;
    for (long seed = one == null ? FIRST : one;
        seed < (one == null ? FIRST + SEEDS : one + 1);
        seed++) {
      DoubleFaultRun run = new DoubleFaultRun(seed);
      try {
        run.run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d: -Dtest=DoubleFaultTest -Dtest.seed=%d: %s"
                .formatted(seed, seed, e.getMessage()),
            e);
      }
      lost += run.lostBlocks();
      mended += run.savedBlocks();
    }
    if (one == null) {
      assertThat(mended).as("blocks that only the other device had").isPositive();
      System.out.printf(
          "%d double faults: %d blocks were had from the device that was filled, %d were on neither%n",
          SEEDS, mended, lost);
    }
  }
}
