package io.coppice.bench.iscsi;

import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.TransportException;
import io.coppice.kit.Latencies;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// Many sessions or logical units, each with a few commands of 4 KiB outstanding, 70 % of them
/// reads. Each begins its next command where the last one ends.
final class Crowd {

  private static final int BLOCK = 4096;
  private static final int SECTOR = 512;
  private static final int READ_PERCENT = 70;

  private final List<LogicalUnit> units;
  private final int depth;
  private final long places;
  private final Latencies latencies = Latencies.shared();
  private final AtomicLongArray perUnit;
  private final AtomicLong errors = new AtomicLong();
  private final Phaser outstanding = new Phaser(1);
  private volatile long deadline;

  Crowd(List<LogicalUnit> units, int depth, long sizeInBytes) {
    this.units = units;
    this.depth = depth;
    this.places = sizeInBytes / BLOCK;
    this.perUnit = new AtomicLongArray(units.size());
  }

  /// @param perUnit how many commands of each unit ended, in the order of the units
  record Outcome(long errors, Latencies latencies, long[] perUnit) {

    long ended() {
      return latencies.total();
    }
  }

  Outcome run(Duration time) {
    deadline = System.nanoTime() + time.toNanos();
    for (int i = 0; i < depth; i++) {
      for (int unit = 0; unit < units.size(); unit++) {
        outstanding.register();
        next(unit);
      }
    }
    outstanding.arriveAndAwaitAdvance();
    long[] each = new long[units.size()];
    Arrays.setAll(each, perUnit::get);
    return new Outcome(errors.get(), latencies, each);
  }

  private void next(int number) {
    LogicalUnit unit = units.get(number);
    long start = System.nanoTime();
    if (start - deadline > 0) {
      outstanding.arriveAndDeregister();
      return;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int blocks = BLOCK / SECTOR;
    long lba = random.nextLong(places) * blocks;
    CompletableFuture<ScsiResult> end;
    try {
      end =
          random.nextInt(100) < READ_PERCENT
              ? unit.startRead(lba, blocks, SECTOR)
              : unit.startWrite(lba, blocks, DriverClient.randomBytes(BLOCK));
    } catch (TransportException e) {
      end = CompletableFuture.failedFuture(e);
    }
    var unused = end.whenComplete((result, failure) -> ended(number, start, result, failure));
  }

  private void ended(
      int number, long start, @Nullable ScsiResult result, @Nullable Throwable failure) {
    long took = System.nanoTime() - start;
    if (result != null && result.good()) {
      latencies.record(took);
      perUnit.incrementAndGet(number);
    } else {
      errors.incrementAndGet();
    }
    if (failure != null) {
      outstanding.arriveAndDeregister(); // its session has ended
    } else {
      next(number);
    }
  }
}
