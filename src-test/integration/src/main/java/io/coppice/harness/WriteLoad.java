package io.coppice.harness;

import io.coppice.driver.scsi.LogicalUnit;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes numbered 4 KiB blocks to a region of a disk and remembers which were acknowledged.
///
/// Every slot of the region is written by one thread at a time with growing numbers, so after a
/// crash a slot must hold at least the number last acknowledged for it, and at most the number last
/// sent.
public final class WriteLoad implements AutoCloseable {

  private static final int BLOCK = 512;
  private static final int SLOT_BYTES = 4096;
  private static final int THREADS = 8;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Supplier<LogicalUnit> unit;
  private final long regionOffset;
  private final int slots;
  private final AtomicLongArray acknowledged;
  private final AtomicLongArray sent;
  private final AtomicLong writes = new AtomicLong();
  private final Thread[] writers = new Thread[THREADS];
  private volatile boolean stopping;
  private volatile @Nullable RuntimeException interruption;

  /// @param unit gives the logical unit to use now
  /// @param regionOffset first byte of the region, a multiple of 4096
  /// @param slots how many 4 KiB blocks the region has
  public WriteLoad(Supplier<LogicalUnit> unit, long regionOffset, int slots) {
    this.unit = unit;
    this.regionOffset = regionOffset;
    this.slots = slots;
    this.acknowledged = new AtomicLongArray(slots);
    this.sent = new AtomicLongArray(slots);
  }

  /// Starts the writers. They end when stopped, or when the transport fails under them.
  public void start() {
    stopping = false;
    interruption = null;
    for (int i = 0; i < THREADS; i++) {
      int share = i;
      writers[i] = Thread.ofPlatform().name("write-load-" + i).start(() -> write(share));
    }
  }

  /// Writes acknowledged so far.
  public long acknowledgedWrites() {
    return writes.get();
  }

  /// Waits until so many writes have been acknowledged, or the load was cut off.
  ///
  /// @throws Mismatch if that takes longer than a minute
  public void await(long writeCount) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (acknowledgedWrites() < writeCount && !wasCutOff()) {
      if (System.nanoTime() > deadline) {
        throw new Mismatch(
            "expected %d acknowledged writes within a minute, got %d"
                .formatted(writeCount, acknowledgedWrites()));
      }
      Thread.onSpinWait();
    }
  }

  /// Size of the region in bytes.
  public long regionBytes() {
    return bytesOf(slots);
  }

  /// Bytes that so many writes carry.
  public long bytesOf(long writeCount) {
    return writeCount * SLOT_BYTES;
  }

  /// The numbers acknowledged so far, by slot.
  public long[] acknowledgedNow() {
    long[] copy = new long[slots];
    for (int slot = 0; slot < slots; slot++) {
      copy[slot] = acknowledged.get(slot);
    }
    return copy;
  }

  /// Waits for the writers' end after [#stop] or a failure of the transport.
  public void join() {
    for (Thread writer : writers) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Mismatch("interrupted while waiting for the write load", e);
      }
    }
  }

  /// Lets the writes under way end and waits for them.
  public void stop() {
    stopping = true;
    join();
  }

  /// Whether the writers ended because the transport failed.
  public boolean wasCutOff() {
    return interruption != null;
  }

  /// Reads the whole region and compares it with what was acknowledged.
  ///
  /// @param atLeast smallest number each slot may hold
  /// @return how many slots hold a number
  /// @throws Mismatch naming the first slot that lost an acknowledged write
  public int verify(LogicalUnit from, long[] atLeast) {
    int filled = 0;
    int perRead = 64;
    for (int first = 0; first < slots; first += perRead) {
      int count = Math.min(perRead, slots - first);
      ByteBuffer data = from.read(lba(first), count * (SLOT_BYTES / BLOCK), BLOCK);
      for (int i = 0; i < count; i++) {
        filled += verifySlot(first + i, data.slice(i * SLOT_BYTES, SLOT_BYTES), atLeast[first + i]);
      }
    }
    return filled;
  }

  @Override
  public void close() {
    stopping = true;
    join();
  }

  private int verifySlot(int slot, ByteBuffer data, long atLeast) {
    long found = data.getLong(0);
    if (found < atLeast || found > sent.get(slot)) {
      throw new Mismatch(
          "slot %d at byte %d: expected a number from %d (acknowledged) to %d (sent), found %d"
              .formatted(
                  slot, regionOffset + (long) slot * SLOT_BYTES, atLeast, sent.get(slot), found));
    }
    if (found != 0 && !data.equals(content(slot, found))) {
      throw new Mismatch("slot %d: write %d is there in part only".formatted(slot, found));
    }
    return found == 0 ? 0 : 1;
  }

  private void write(int share) {
    Random random = new Random(share);
    int shareSlots = slots / THREADS;
    try {
      while (!stopping) {
        int slot = share * shareSlots + random.nextInt(shareSlots);
        long number = sent.incrementAndGet(slot);
        unit.get().write(lba(slot), SLOT_BYTES / BLOCK, content(slot, number));
        acknowledged.set(slot, number);
        writes.incrementAndGet();
      }
    } catch (RuntimeException e) {
      interruption = e;
    }
  }

  private long lba(int slot) {
    return (regionOffset + (long) slot * SLOT_BYTES) / BLOCK;
  }

  private static ByteBuffer content(int slot, long number) {
    Random random = new Random(((long) slot << 32) ^ number);
    ByteBuffer content = ByteBuffer.allocate(SLOT_BYTES);
    content.putLong(number);
    while (content.hasRemaining()) {
      content.putLong(random.nextLong());
    }
    return content.flip();
  }
}
