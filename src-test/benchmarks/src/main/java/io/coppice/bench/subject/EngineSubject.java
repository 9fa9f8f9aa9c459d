package io.coppice.bench.subject;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.kit.Latencies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/// A volume of an engine in this process. One thread submits; a completion hands the I/O back to
/// it; at depth 1 it waits in the call.
public final class EngineSubject implements Subject {

  private static final int RANDOM_BYTES = 16 << 20;

  /// A prime number: multiples of it reach every block of a volume that is smaller than 8 TiB.
  private static final long SCATTER = 2_654_435_761L;

  private static final ByteBuffer RANDOM = randomBytes();

  private final Volume volume;
  private final long sizeInBytes;
  private final Stamps stamps;
  private final Latencies latencies = Latencies.forOneThread();
  private final RandomGenerator random =
      RandomGeneratorFactory.of("Xoroshiro128PlusPlus").create(7);
  private long sequence;
  private long stride = 1;

  public EngineSubject(Volume volume, long sizeInBytes) {
    this.volume = volume;
    this.sizeInBytes = sizeInBytes;
    this.stamps = new Stamps(sizeInBytes);
  }

  private static ByteBuffer randomBytes() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new Random(7).nextBytes(bytes);
    return ByteBuffer.allocateDirect(RANDOM_BYTES).put(bytes).clear();
  }

  @Override
  public String name() {
    return "engine";
  }

  public Volume volume() {
    return volume;
  }

  /// What the volume holds.
  public Stamps stamps() {
    return stamps;
  }

  /// Reads blocks at random places, as many as it says.
  ///
  /// @throws io.coppice.harness.Mismatch if one is not what was written last
  public void verify(int blocks) {
    stamps.verify("the volume", volume, blocks);
  }

  /// Writes the whole volume once, so that every block is stored.
  public void fill() {
    Load load = Load.sequential(0);
    sequence = 0;
    run(load, sizeInBytes / load.blockBytes(), Long.MAX_VALUE);
  }

  /// As [#fill], but each block by a write of its own, neighbours far apart in time.
  public void scatter() {
    Load load = new Load("scattered", 0, Stamps.BLOCK, true, 64);
    sequence = 0;
    stride = SCATTER;
    run(load, sizeInBytes / load.blockBytes(), Long.MAX_VALUE);
    stride = 1;
  }

  @Override
  public Reading run(Load load, Duration time) {
    return run(load, Long.MAX_VALUE, System.nanoTime() + time.toNanos());
  }

  /// Runs so many I/Os.
  public Reading run(Load load, long count) {
    return run(load, count, Long.MAX_VALUE);
  }

  private Reading run(Load load, long count, long deadline) {
    ProcessCost before = ProcessCost.now();
    latencies.reset();
    long start = System.nanoTime();
    long written =
        load.depth() == 1 ? oneByOne(load, count, deadline) : outstanding(load, count, deadline);
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessCost cost = ProcessCost.now().since(before);
    return new Reading(
        latencies.total() / seconds,
        written * load.blockBytes(),
        cost.cpu().toNanos() / 1e3 / Math.max(1, latencies.total()),
        latencies.micros(99));
  }

  private long oneByOne(Load load, long count, long deadline) {
    Io io = new Io(load.blockBytes(), null);
    long written = 0;
    for (long done = 0; done < count && System.nanoTime() < deadline; done++) {
      written += io.complete(load);
      latencies.record(System.nanoTime() - io.begun);
    }
    return written;
  }

  private long outstanding(Load load, long count, long deadline) {
    Idle<Io> idle = new Idle<>(load.depth());
    Io[] all = new Io[load.depth()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Io(load.blockBytes(), idle);
      idle.add(all[i]);
    }
    long written = 0;
    for (long done = 0; done < count && System.nanoTime() < deadline; done++) {
      Io io = idle.take();
      io.end(latencies);
      written += io.begin(load, all);
    }
    for (int i = 0; i < all.length; i++) {
      idle.take().end(latencies);
    }
    return written;
  }

  /// One I/O that is used again and again.
  private final class Io implements Completion {

    private final ByteBuffer buffer;
    private final @Nullable Idle<Io> idle;
    private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();
    private long offset;
    private long begun;
    private long ended;
    private boolean isUnderWay;

    Io(int bytes, @Nullable Idle<Io> idle) {
      this.buffer = ByteBuffer.allocateDirect(bytes + 4096).alignedSlice(4096).slice(0, bytes);
      this.idle = idle;
    }

    /// Does one I/O on this thread, as a caller that may block.
    ///
    /// @return 1 for a write, 0 for a read
    int complete(Load load) {
      boolean isRead = choose(load);
      if (!isRead) {
        fillBuffer();
      }
      begun = System.nanoTime();
      if (isRead) {
        volume.read(offset, buffer);
        return 0;
      }
      volume.write(offset, buffer);
      return 1;
    }

    /// Starts one I/O; its end hands this back.
    ///
    /// @param all every one that may be under way
    /// @return 1 for a write, 0 for a read
    int begin(Load load, Io[] all) {
      boolean isRead = choose(load);
      if (!isRead) {
        fillBuffer();
        for (Io other : all) {
          if (other.isUnderWay && Math.abs(other.offset - offset) < buffer.capacity()) {
            stamps.forget(offset, buffer.capacity());
            stamps.forget(other.offset, buffer.capacity());
          }
        }
      }
      isUnderWay = true;
      begun = System.nanoTime();
      if (isRead) {
        volume.read(offset, buffer, this);
        return 0;
      }
      volume.write(offset, buffer, this);
      return 1;
    }

    /// Takes it back; returns how long it was under way.
    void end(Latencies latencies) {
      StorageException failed = failure.get();
      if (failed != null) {
        throw failed;
      }
      if (isUnderWay) {
        isUnderWay = false;
        latencies.record(ended - begun);
      }
    }

    /// @return whether it is a read
    private boolean choose(Load load) {
      long places = sizeInBytes / load.blockBytes();
      long place = load.sequential() ? sequence++ * stride % places : random.nextLong(places);
      offset = place * load.blockBytes();
      buffer.clear();
      return load.readPercent() == 100 || random.nextInt(100) < load.readPercent();
    }

    private void fillBuffer() {
      int bytes = buffer.capacity();
      buffer.put(0, RANDOM, random.nextInt(RANDOM_BYTES - bytes), bytes);
      stamps.put(offset, buffer, bytes);
    }

    @Override
    public void succeeded() {
      ended = System.nanoTime();
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
