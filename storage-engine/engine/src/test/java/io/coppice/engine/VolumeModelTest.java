package io.coppice.engine;

import org.junit.jupiter.api.Test;

/// Tens of thousands of random operations on the real engine and on the model, which must never
/// tell the two apart, over many reopenings.
///
/// `-Dmodel.steps=N` says how many operations (20,000), `-Dtest.seed=S` runs that seed alone.
class VolumeModelTest {

  private static final int STEPS = Integer.getInteger("model.steps", 20_000);
  private static final int RUNS = 4;
  private static final long FIRST_SEED = 7_000_000L;

  @Test
  void theEngineDoesWhatTheModelDoes() {
    Long onlySeed = Long.getLong("test.seed");
    if (onlySeed != null) {
      run(onlySeed, STEPS);
      return;
    }
    for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      run(seed, STEPS / RUNS);
    }
  }

  private static void run(long seed, int steps) {
    ModelRun run = new ModelRun(seed);
    try {
      run.run(steps);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d, step %d, %s (repeat with -Dtest=VolumeModelTest -Dtest.seed=%d -Dmodel.steps=%d): %s"
              .formatted(seed, run.step(), run.doing(), seed, steps, e.getMessage()),
          e);
    }
  }
}
