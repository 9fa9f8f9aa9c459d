package io.coppice.bench.engine.journal;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.thread.Uninterrupted;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A load on many volumes at once: random reads and writes of 8 KiB, seven to three, with a fixed
/// number under way.
final class CrowdLoad {

  static final int SIZE = 8192;
  private static final int READ_PERCENT = 70;

  private final List<Volume> volumes;
  private final long bytes;
  private final int depth;
  private final SplittableRandom random = new SplittableRandom(7);
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>(); // guarded by itself
  private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();

  /// @param bytes of each volume that it touches
  CrowdLoad(List<Volume> volumes, long bytes, int depth) {
    this.volumes = volumes;
    this.bytes = bytes;
    this.depth = depth;
    for (int i = 0; i < depth; i++) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
      while (buffer.hasRemaining()) {
        buffer.putLong(random.nextLong());
      }
      free.add(buffer);
    }
  }

  /// Runs for a time.
  ///
  /// @return I/Os per second
  double run(Duration time) {
    Semaphore room = new Semaphore(depth);
    long start = System.nanoTime();
    long end = start + time.toNanos();
    long count = 0;
    for (long now = start; now < end; now = System.nanoTime()) {
      Uninterrupted.await(room::acquire);
      one(room);
      count++;
    }
    Uninterrupted.await(() -> room.acquire(depth));
    StorageException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return count * 1e9 / (System.nanoTime() - start);
  }

  private void one(Semaphore room) {
    Volume volume = volumes.get(random.nextInt(volumes.size()));
    long offset = random.nextLong(bytes / SIZE) * SIZE;
    ByteBuffer buffer;
    synchronized (free) {
      buffer = free.remove();
    }
    Completion end = end(room, buffer);
    if (random.nextInt(100) < READ_PERCENT) {
      volume.read(offset, buffer.clear(), end);
    } else {
      buffer.clear().putLong(0, random.nextLong());
      volume.write(offset, buffer, end);
    }
  }

  private Completion end(Semaphore room, ByteBuffer buffer) {
    return new Completion() {
      @Override
      public void succeeded() {
        synchronized (free) {
          free.add(buffer);
        }
        room.release();
      }

      @Override
      public void failed(StorageException reason) {
        failure.set(reason);
        succeeded();
      }
    };
  }
}
