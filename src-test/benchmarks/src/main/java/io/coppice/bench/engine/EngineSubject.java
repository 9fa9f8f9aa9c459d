package io.coppice.bench.engine;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/// A volume of an engine in this process. One thread submits; a completion hands the I/O back to
/// it; at depth 1 it waits in the call.
final class EngineSubject implements Subject {

  private static final int RANDOM_BYTES = 16 << 20;

  private final Volume volume;
  private final long sizeInBytes;
  private final ByteBuffer randomBytes = ByteBuffer.allocateDirect(RANDOM_BYTES);
  private final RandomGenerator random =
      RandomGeneratorFactory.of("Xoroshiro128PlusPlus").create(7);

  EngineSubject(Volume volume, long sizeInBytes) {
    this.volume = volume;
    this.sizeInBytes = sizeInBytes;
    byte[] bytes = new byte[RANDOM_BYTES];
    new Random(7).nextBytes(bytes);
    randomBytes.put(bytes).clear();
  }

  @Override
  public String name() {
    return "engine";
  }

  /// Writes the whole volume once, so that every block is stored.
  void fill() {
    Load load = Load.sequential(0);
    run(load, sizeInBytes / load.blockBytes(), Long.MAX_VALUE);
  }

  @Override
  public Reading run(Load load, Duration time) {
    return run(load, Long.MAX_VALUE, System.nanoTime() + time.toNanos());
  }

  /// Runs so many I/Os.
  void run(Load load, long count) {
    run(load, count, Long.MAX_VALUE);
  }

  private Reading run(Load load, long count, long deadline) {
    ProcessCost before = ProcessCost.now();
    long start = System.nanoTime();
    Count ended =
        load.depth() == 1 ? oneByOne(load, count, deadline) : outstanding(load, count, deadline);
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessCost cost = ProcessCost.now().since(before);
    return new Reading(
        ended.all() / seconds,
        ended.writes() == 0 ? 0 : (double) cost.bytesWritten() / ended.writes(),
        cost.cpu().toNanos() / 1e3 / ended.all());
  }

  private record Count(long all, long writes) {}

  private Count oneByOne(Load load, long count, long deadline) {
    Io io = new Io(load.blockBytes(), null);
    long written = 0;
    long done = 0;
    while (done < count && System.nanoTime() < deadline) {
      written += io.complete(load, done);
      done++;
    }
    return new Count(done, written);
  }

  private Count outstanding(Load load, long count, long deadline) {
    Idle idle = new Idle(load.depth());
    for (int i = 0; i < load.depth(); i++) {
      idle.add(new Io(load.blockBytes(), idle));
    }
    long written = 0;
    long done = 0;
    while (done < count && System.nanoTime() < deadline) {
      Io io = idle.take();
      io.check();
      written += io.begin(load, done);
      done++;
    }
    for (int i = 0; i < load.depth(); i++) {
      idle.take().check();
    }
    return new Count(done, written);
  }

  /// I/Os that have ended. A queue of the library allocates when somebody waits, and what is
  /// counted here is what the engine allocates.
  private static final class Idle {
    private final @Nullable Io[] ring;
    private int first; // guarded by this
    private int size; // guarded by this

    Idle(int depth) {
      ring = new Io[depth];
    }

    synchronized void add(Io io) {
      ring[(first + size) % ring.length] = io;
      size++;
      if (size == 1) {
        notifyAll();
      }
    }

    synchronized Io take() {
      try {
        while (size == 0) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Mismatch("interrupted while the bench ran", e);
      }
      Io io = java.util.Objects.requireNonNull(ring[first]);
      first = (first + 1) % ring.length;
      size--;
      return io;
    }
  }

  /// One I/O that is used again and again.
  private final class Io implements Completion {

    private final ByteBuffer buffer;
    private final @Nullable Idle idle;
    private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();
    private long offset;

    Io(int bytes, @Nullable Idle idle) {
      this.buffer = ByteBuffer.allocateDirect(bytes + 4096).alignedSlice(4096).slice(0, bytes);
      this.idle = idle;
    }

    /// Does one I/O on this thread, as a caller that may block.
    ///
    /// @return 1 for a write, 0 for a read
    int complete(Load load, long number) {
      if (prepare(load, number)) {
        volume.read(offset, buffer);
        return 0;
      }
      volume.write(offset, buffer);
      return 1;
    }

    /// Starts one I/O; its end hands this back.
    ///
    /// @return 1 for a write, 0 for a read
    int begin(Load load, long number) {
      if (prepare(load, number)) {
        volume.read(offset, buffer, this);
        return 0;
      }
      volume.write(offset, buffer, this);
      return 1;
    }

    /// Chooses place and data.
    ///
    /// @return whether it is a read
    private boolean prepare(Load load, long number) {
      long places = sizeInBytes / load.blockBytes();
      offset = (load.sequential() ? number % places : random.nextLong(places)) * load.blockBytes();
      buffer.clear();
      if (load.readPercent() == 100 || random.nextInt(100) < load.readPercent()) {
        return true;
      }
      int from = random.nextInt(RANDOM_BYTES - load.blockBytes());
      buffer.put(0, randomBytes, from, load.blockBytes());
      return false;
    }

    void check() {
      StorageException failed = failure.get();
      if (failed != null) {
        throw failed;
      }
    }

    @Override
    public void succeeded() {
      if (idle != null) {
        idle.add(this);
      }
    }

    @Override
    public void failed(StorageException reason) {
      failure.set(reason);
      succeeded();
    }
  }
}
