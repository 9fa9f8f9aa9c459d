package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.QuietEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Thousands of power cuts at random device operations, each followed by a recovery that must find
/// every acknowledged change and nothing else.
///
/// `-Dcrash.points=N` says how many cuts at least (200), `-Dcrash.first=S` with which seed to begin
/// (1,000,000), `-Dtest.seed=S` runs that seed alone; with `-Dcrash.mirrored=true` every pool is
/// kept on two devices, else each third one.
@ExtendWith(QuietEngine.class)
class CrashPointTest {

  private static final int POINTS = Integer.getInteger("crash.points", 200);
  private static final long FIRST_SEED = Long.getLong("crash.first", 1_000_000L);
  private static final boolean MIRRORED = Boolean.getBoolean("crash.mirrored");

  @Test
  void noAcknowledgedChangeIsLostAtAnyCrashPoint() throws Exception {
    Long onlySeed = Long.getLong("test.seed");
    if (onlySeed != null) {
      run(onlySeed);
      return;
    }
    AtomicInteger crashes = new AtomicInteger();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    int workers = Runtime.getRuntime().availableProcessors();
    try (ExecutorService executor = Executors.newFixedThreadPool(workers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        running.add(
            executor.submit(
                () -> {
                  while (crashes.get() < POINTS) {
                    crashes.addAndGet(run(FIRST_SEED + next.getAndIncrement()));
                  }
                }));
      }
      for (Future<?> worker : running) {
        finish(worker);
      }
    }
    System.out.printf(
        "crash points: %d over %d seeds, %d blocks moved by the cleaner, %d of them with little"
            + " memory, 0 acknowledged changes lost, %.1f s%n",
        crashes.get(),
        next.get(),
        moved.get(),
        movedWithLittle.get(),
        (System.nanoTime() - start) / 1e9);
    assertThat(crashes.get()).isGreaterThanOrEqualTo(POINTS);
    assertThat(moved.get()).as("blocks moved by the cleaner").isGreaterThan(POINTS);
    assertThat(movedWithLittle.get()).as("of them with little memory").isGreaterThan(POINTS);
  }

  private final AtomicLong moved = new AtomicLong();
  private final AtomicLong movedWithLittle = new AtomicLong();

  private int run(long seed) {
    try {
      CrashRun run = new CrashRun(seed, MIRRORED);
      int crashes = run.run();
      moved.addAndGet(run.moved());
      movedWithLittle.addAndGet(run.movedWithLittleMemory());
      return crashes;
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d (repeat with -Dtest=CrashPointTest -Dtest.seed=%d%s): %s"
              .formatted(seed, seed, MIRRORED ? " -Dcrash.mirrored=true" : "", e.getMessage()),
          e);
    }
  }

  private static void finish(Future<?> worker) throws Exception {
    try {
      worker.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }
}
