package io.coppice.engine;

import com.sun.management.ThreadMXBean;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.FailStopDevice;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.MemoryDevice;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;

/// A process that does I/Os and says how many bytes each of them allocated, of all threads, in the
/// best of its rounds. It does nothing else: what the compiler does without depends on what it has
/// seen the code do.
final class AllocatingProcess {

  /// What is done again and again.
  enum Kind {
    WRITE,
    READ,
    BLOCKING_WRITE,
    BLOCKING_READ
  }

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 512;
  private static final int DEPTH = 16;
  private static final int COUNT = 20_000;
  private static final int ROUNDS = 60;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final SplittableRandom random = new SplittableRandom(1);
  private final ArrayDeque<Slot> idle = new ArrayDeque<>(); // guarded by itself
  private final Volume volume;
  private volatile boolean hasFailed;

  private AllocatingProcess(RedirectOnWriteEngine engine) {
    VolumeId id = new VolumeId(new UUID(0, 7));
    engine.create(OperationId.random(), VolumeSpec.thin(id, (long) BLOCKS * BLOCK));
    volume = engine.open(id);
    volume.write(0, noise(BLOCKS / 2 * BLOCK));
    volume.write((long) BLOCKS / 2 * BLOCK, noise(BLOCKS / 2 * BLOCK));
    for (int i = 0; i < DEPTH; i++) {
      idle.add(new Slot());
    }
  }

  /// @param arguments the kind, and bytes from which on it is few enough
  public static void main(String[] arguments) {
    BlockDevice device = new FailStopDevice(new MemoryDevice(new byte[512 << 20]));
    RedirectOnWriteEngine.format(
        device, new PoolFormat(new UUID(0, 1), PoolFormat.DEFAULT_ZONE_SIZE / 8, Instant.EPOCH));
    try (RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(device, EngineOptions.defaults(), InstantSource.system())) {
      double least =
          new AllocatingProcess(engine)
              .least(Kind.valueOf(arguments[0]), Double.parseDouble(arguments[1]));
      System.out.printf(Locale.ROOT, "%.3f%n", least);
    }
  }

  private double least(Kind kind, double enough) {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > enough; round++) {
      long before = THREADS.getTotalThreadAllocatedBytes();
      run(kind);
      double each = (double) (THREADS.getTotalThreadAllocatedBytes() - before) / COUNT;
      least = Math.min(least, each);
    }
    if (hasFailed) {
      throw new AssertionError("an I/O failed");
    }
    return least;
  }

  private void run(Kind kind) {
    Slot own = take();
    for (int i = 0; i < COUNT; i++) {
      switch (kind) {
        case WRITE -> {
          Slot slot = take();
          volume.write(place(), slot.buffer.clear(), slot);
        }
        case READ -> {
          Slot slot = take();
          volume.read(place(), slot.buffer.clear(), slot);
        }
        case BLOCKING_WRITE -> volume.write(place(), own.buffer.clear());
        case BLOCKING_READ -> volume.read(place(), own.buffer.clear());
      }
    }
    own.succeeded();
    awaitAll();
  }

  private static ByteBuffer noise(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    new SplittableRandom(2).longs(bytes / 8).forEach(buffer::putLong);
    return buffer.flip();
  }

  /// An I/O with its memory.
  private final class Slot implements Completion {

    private final ByteBuffer buffer = noise(BLOCK);

    @Override
    public void succeeded() {
      synchronized (idle) {
        idle.addLast(this);
        idle.notifyAll();
      }
    }

    @Override
    public void failed(StorageException failure) {
      hasFailed = true;
      succeeded();
    }
  }

  private Slot take() {
    synchronized (idle) {
      while (idle.isEmpty()) {
        try {
          idle.wait();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
      return idle.removeFirst();
    }
  }

  private void awaitAll() {
    synchronized (idle) {
      while (idle.size() < DEPTH) {
        try {
          idle.wait();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
    }
  }

  private long place() {
    return (long) random.nextInt(BLOCKS) * BLOCK;
  }
}
