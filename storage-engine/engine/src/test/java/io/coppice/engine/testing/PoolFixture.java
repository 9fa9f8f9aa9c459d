package io.coppice.engine.testing;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.superblock.PoolFormat;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A pool for one test, on one simulated device or on two.
///
/// A test says what is special about its pool, formats it and opens it:
///
/// ```
/// @AutoClose private final PoolFixture pool = PoolFixture.ofBytes(16 << 20).zones(1 << 20);
/// private final RedirectOnWriteEngine engine = pool.format().open();
/// ```
///
/// Only one engine of a pool may be open at a time: a test ends one before it opens the next. Not
/// safe for several threads.
public final class PoolFixture implements AutoCloseable {

  /// The clock of every pool to which a test gives no other: its time stands still.
  public static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  /// Size of a zone in bytes, unless a test asks for another: the smallest that there is.
  public static final int ZONE = 256 << 10;

  private final SimulatedBlockDevice device;
  private final @Nullable SimulatedBlockDevice second;
  private @Nullable UUID id;
  private int formats;
  private int zoneBytes = ZONE;
  private EngineOptions options = EngineOptions.defaults();
  private InstantSource clock = CLOCK;
  private LongSupplier nanos = System::nanoTime;
  private UnaryOperator<BlockDevice> front = UnaryOperator.identity();
  private @Nullable RedirectOnWriteEngine engine;

  private PoolFixture(SimulatedBlockDevice device, @Nullable SimulatedBlockDevice second) {
    this.device = device;
    this.second = second;
  }

  /// A pool on one device, which is not formatted yet.
  public static PoolFixture ofBytes(long size) {
    return new PoolFixture(new SimulatedBlockDevice(size), null);
  }

  /// A pool on two devices, each of this size. They are not formatted yet.
  public static PoolFixture mirrored(long sizeInBytes) {
    return new PoolFixture(
        new SimulatedBlockDevice(sizeInBytes), new SimulatedBlockDevice(sizeInBytes));
  }

  // ---- what is special about it

  /// Gives the pool this name. Without it each format gives another one, the same in each run.
  public PoolFixture named(UUID name) {
    id = name;
    return this;
  }

  /// Sets the size of a zone in bytes.
  public PoolFixture zones(int bytes) {
    zoneBytes = bytes;
    return this;
  }

  /// Sets the options that [#open()] opens the pool with. Without them it takes the defaults.
  public PoolFixture options(EngineOptions chosen) {
    options = chosen;
    return this;
  }

  /// Sets the number of threads that read, and no other option.
  public PoolFixture readers(int threads) {
    return options(options.withReaderThreads(threads));
  }

  /// Sets the clock. Without one it is [#CLOCK].
  public PoolFixture clock(InstantSource other) {
    clock = other;
    return this;
  }

  /// Sets the count of nanoseconds that no change of the clock affects.
  public PoolFixture nanos(LongSupplier other) {
    nanos = other;
    return this;
  }

  /// Puts a device of the test in front of each of the pool's own, from now on and until a crash.
  public PoolFixture behind(UnaryOperator<BlockDevice> inFront) {
    front = inFront;
    return this;
  }

  /// Takes away again what stands in front of its devices.
  public PoolFixture bare() {
    return behind(UnaryOperator.identity());
  }

  // ---- its life

  /// Writes a fresh pool over the content of the devices.
  public PoolFixture format() {
    UUID name = id == null ? new UUID(1, ++formats) : id;
    PoolFormat format = new PoolFormat(name, zoneBytes, clock.instant());
    if (second == null) {
      RedirectOnWriteEngine.format(front.apply(device), format);
    } else {
      RedirectOnWriteEngine.format(front.apply(device), front.apply(second), format);
    }
    return this;
  }

  /// Opens the pool with the options of the fixture.
  public RedirectOnWriteEngine open() {
    return open(options);
  }

  /// Opens the pool with other options, this once.
  public RedirectOnWriteEngine open(EngineOptions once) {
    BlockDevice other = second == null ? null : front.apply(second);
    RedirectOnWriteEngine opened =
        RedirectOnWriteEngine.open(front.apply(device), other, once, clock, nanos);
    engine = opened;
    return opened;
  }

  /// Closes the pool and opens it again.
  public RedirectOnWriteEngine reopen() {
    close();
    return open();
  }

  /// The pool that a restart finds after the power went now: each sector that was written and not
  /// synced is any of its versions. Nothing stands in front of its devices. This pool stays as it
  /// is, so that a test may look at other crashes of it too.
  public PoolFixture afterCrash(RandomGenerator random) {
    PoolFixture found =
        new PoolFixture(
            device.afterCrash(random), second == null ? null : second.afterCrash(random));
    found.id = id;
    found.formats = formats;
    found.zoneBytes = zoneBytes;
    found.options = options;
    found.clock = clock;
    found.nanos = nanos;
    return found;
  }

  /// This pool, once the offline checker found it whole. Nobody may write it meanwhile.
  ///
  /// @throws AssertionError with the first findings if it is not whole
  public PoolFixture whole() {
    if (second == null) {
      CheckedPool.whole(device);
    } else {
      CheckedPool.whole(device, second);
    }
    return this;
  }

  /// Closes the engine that was opened last, unless it has ended before.
  @Override
  public void close() {
    if (engine != null) {
      engine.close();
    }
  }

  // ---- its devices

  /// The pool's device; of two the first one.
  public SimulatedBlockDevice device() {
    return device;
  }

  /// The second device of a mirrored pool.
  public SimulatedBlockDevice second() {
    return Objects.requireNonNull(second, "the pool is on one device");
  }

  /// All devices of the pool.
  public List<SimulatedBlockDevice> devices() {
    return second == null ? List.of(device) : List.of(device, second);
  }
}
