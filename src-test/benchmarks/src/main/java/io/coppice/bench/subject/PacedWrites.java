package io.coppice.bench.subject;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.thread.Uninterrupted;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Latencies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Writes of 4 KiB at a fixed rate, over random blocks of many volumes, with a log of when each was
/// begun and acknowledged. Each block holds the number of its write, so that a copy of any moment
/// can be held against the log.
public final class PacedWrites {

  private static final int BLOCK = 4096;
  private static final int MOST_AT_ONCE = 256;

  /// By how much the clocks of log and points may differ: both count whole milliseconds.
  private static final long SLACK_MILLIS = 2;

  private final List<Volume> volumes;
  private final int blocks;
  private final int perSecond;
  private final SplittableRandom random = new SplittableRandom(11);
  private final List<List<Written>> log = new ArrayList<>();
  private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();
  private long number;

  /// A write, by the clock in milliseconds.
  private static final class Written {
    private final int block;
    private final long number;
    private final long begun;
    private volatile long ended = Long.MAX_VALUE;

    Written(int block, long number, long begun) {
      this.block = block;
      this.number = number;
      this.begun = begun;
    }
  }

  /// @param bytes of each volume that are written to
  public PacedWrites(List<Volume> volumes, long bytes, int perSecond) {
    this.volumes = volumes;
    blocks = (int) (bytes / BLOCK);
    this.perSecond = perSecond;
    volumes.forEach(_ -> log.add(new ArrayList<>()));
  }

  /// Runs for a time.
  ///
  /// @param latencies get the time from when each write was due to its answer
  public void run(Duration time, Latencies latencies) {
    Semaphore room = new Semaphore(MOST_AT_ONCE);
    long start = System.nanoTime();
    long count = time.toMillis() * perSecond / 1000;
    for (long i = 0; i < count; i++) {
      long due = start + i * 1_000_000_000L / perSecond;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        long nap = left;
        Uninterrupted.await(() -> TimeUnit.NANOSECONDS.sleep(nap));
      }
      Uninterrupted.await(room::acquire);
      begin(due, latencies, room);
    }
    Uninterrupted.await(() -> room.acquire(MOST_AT_ONCE));
    StorageException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  // Of two writes of a block that are under way at once, the later one wins.
  private void begin(long due, Latencies latencies, Semaphore room) {
    int of = random.nextInt(volumes.size());
    Written written = new Written(random.nextInt(blocks), ++number, System.currentTimeMillis());
    log.get(of).add(written);
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    while (bytes.hasRemaining()) {
      bytes.putLong(written.number);
    }
    volumes
        .get(of)
        .write(
            (long) written.block * BLOCK,
            bytes.flip(),
            new Completion() {
              @Override
              public void succeeded() {
                written.ended = System.currentTimeMillis();
                latencies.record(System.nanoTime() - due);
                room.release();
              }

              @Override
              public void failed(StorageException reason) {
                failure.compareAndSet(null, reason);
                room.release();
              }
            });
  }

  /// Holds a copy of a volume against the log.
  ///
  /// @param index of the volume
  /// @param moment what the copy is of
  /// @throws Mismatch if a write that was acknowledged by then is not there, or one that was begun
  ///   later is
  public void compare(int index, Volume copy, Instant moment) {
    long then = moment.toEpochMilli();
    Map<Integer, Long> least = new HashMap<>();
    Map<Integer, Long> most = new HashMap<>();
    for (Written written : log.get(index)) {
      if (written.ended < then - SLACK_MILLIS) {
        least.merge(written.block, written.number, Math::max);
      }
      if (written.begun <= then + SLACK_MILLIS) {
        most.merge(written.block, written.number, Math::max);
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    most.forEach(
        (block, last) -> {
          copy.read((long) block * BLOCK, bytes.clear());
          long found = bytes.getLong(0);
          long first = least.getOrDefault(block, Long.MIN_VALUE);
          boolean isAsBefore = first == Long.MIN_VALUE && (found < 1 || found > number);
          if (!isAsBefore && (found < first || found > last)) {
            throw new Mismatch(
                "expected write %d to %d in block %d of volume %d at %s, found %d"
                    .formatted(first, last, block, index, moment, found));
          }
        });
  }
}
