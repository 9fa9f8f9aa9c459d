package io.coppice.bench.limits;

import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An initiator that keeps many commands outstanding at one logical unit, as fast as they end.
final class Flood implements AutoCloseable {

  private static final int SECTOR = 512;
  private static final int PLACES = 1000;

  private final LogicalUnit unit;
  private final int bytes;
  private final boolean writes;
  private final AtomicLong good = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Phaser outstanding = new Phaser(1);
  private volatile boolean ending;

  /// Begins at once.
  ///
  /// @param bytes of one command
  Flood(LogicalUnit unit, int depth, int bytes, boolean writes) {
    this.unit = unit;
    this.bytes = bytes;
    this.writes = writes;
    for (int i = 0; i < depth; i++) {
      outstanding.register();
      thread.execute(this::next);
    }
  }

  /// Commands that have ended GOOD so far.
  long ended() {
    return good.get();
  }

  /// Commands that have ended otherwise.
  long refused() {
    return refused.get();
  }

  private void next() {
    if (ending) {
      outstanding.arriveAndDeregister();
      return;
    }
    int blocks = bytes / SECTOR;
    long lba = ThreadLocalRandom.current().nextLong(PLACES) * blocks;
    CompletableFuture<ScsiResult> end =
        writes
            ? unit.startWrite(lba, blocks, Work.randomBytes(bytes))
            : unit.startRead(lba, blocks, SECTOR);
    end.whenCompleteAsync(this::count, thread);
  }

  private void count(@Nullable ScsiResult result, @Nullable Throwable failure) {
    boolean ended = result != null && result.good();
    (ended ? good : refused).incrementAndGet();
    next();
  }

  /// Waits for what is outstanding.
  @Override
  public void close() {
    ending = true;
    outstanding.arriveAndAwaitAdvance();
    thread.shutdown();
  }

  /// The data that both sides send.
  static final class Work {
    private static final byte[] RANDOM = new byte[4 << 20];

    static {
      ThreadLocalRandom.current().nextBytes(RANDOM);
    }

    private Work() {}

    /// Some of 4 MiB of random bytes.
    static ByteBuffer randomBytes(int length) {
      int from = ThreadLocalRandom.current().nextInt(RANDOM.length - length);
      return ByteBuffer.wrap(RANDOM, from, length).slice();
    }
  }
}
