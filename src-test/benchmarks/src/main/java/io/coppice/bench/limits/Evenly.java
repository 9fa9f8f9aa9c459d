package io.coppice.bench.limits;

import io.coppice.driver.scsi.LogicalUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// An initiator that sends one command after the other at a given rate, whether they have ended or
/// not: what a limit lets through, without anything that has to wait for it.
final class Evenly implements AutoCloseable {

  private static final int SECTOR = 512;
  private static final int PLACES = 1000;

  private final LogicalUnit unit;
  private final int blocks;
  private final boolean writes;
  private final long nanosBetween;
  private final Thread thread;
  private volatile boolean ending;
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  /// Begins at once.
  ///
  /// @param bytes of one command
  Evenly(LogicalUnit unit, double perSecond, int bytes, boolean writes) {
    this.unit = unit;
    this.blocks = bytes / SECTOR;
    this.writes = writes;
    this.nanosBetween = (long) (1e9 / perSecond);
    thread = Thread.ofPlatform().name("evenly").start(this::send);
  }

  private void send() {
    long next = System.nanoTime();
    while (!ending) {
      long lba = ThreadLocalRandom.current().nextLong(PLACES) * blocks;
      last =
          writes
              ? unit.startWrite(lba, blocks, Flood.Work.randomBytes(blocks * SECTOR))
              : unit.startRead(lba, blocks, SECTOR);
      next += nanosBetween;
      for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  /// Waits for what is outstanding: of one unit that is in order but for a few.
  @Override
  public void close() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    last.join();
  }
}
