package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.Medium;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.supply.Provisioning;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.ThinDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Free zones that are written once before the log comes to them: which, how many, and that nobody
/// else writes there meanwhile.
class PreparedZonesTest {

  private static final long MIB = 1 << 20;
  private static final int ZONE = 256 << 10;
  private static final int PIECE = 16 << 10;
  private static final int PIECES = 600;
  private static final PoolFormat FORMAT = new PoolFormat(new UUID(0, 9), ZONE, Instant.EPOCH);

  private final PoolFixture pool = PoolFixture.ofBytes(48 * MIB);
  private final Watched watched = new Watched(allocated(pool.device()));
  private final long[] acknowledged = new long[PIECES];
  private long stamp;

  PreparedZonesTest() {
    pool.behind(_ -> watched).format();
  }

  private static ThinDevice allocated(BlockDevice device) {
    ThinDevice thin = new ThinDevice(device, device.sizeInBytes(), true);
    thin.medium().allocate(0, device.sizeInBytes());
    return thin;
  }

  /// Counts what is prepared, and gives the log the time to come there meanwhile.
  private static final class Watched extends ForwardingDevice {
    private final LongAdder prepared = new LongAdder();
    private final LongAdder others = new LongAdder();
    private volatile int overtaking;

    Watched(BlockDevice device) {
      super(device);
    }

    private static boolean isPreparing() {
      return Thread.currentThread().getName().equals("coppice-prepare");
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      if (isPreparing()) {
        letOthersPass();
        prepared.add(from.getFirst().remaining());
      }
      super.write(offset, from);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      super.writeStable(offset, from);
      others.increment();
    }

    private void letOthersPass() {
      long until = others.sum() + overtaking;
      long start = System.nanoTime();
      while (others.sum() < until && System.nanoTime() - start < 50_000_000) {
        Thread.onSpinWait();
      }
    }
  }

  private static EngineOptions preparing(long ahead, boolean all) {
    return EngineOptions.defaults().withProvisioning(new Provisioning(false, ahead, 50, all));
  }

  private static ByteBuffer content(int piece, long stamp) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    SplittableRandom random = new SplittableRandom(stamp * PIECES + piece);
    while (bytes.hasRemaining()) {
      bytes.putLong(stamp == 0 ? 0 : random.nextLong());
    }
    return bytes.flip();
  }

  private VolumeId volume(StorageEngine engine) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, (long) PIECES * PIECE, false, Map.of()));
    return id;
  }

  private void write(StorageEngine engine, VolumeId id, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      int piece = random.nextInt(PIECES);
      long now = ++stamp;
      Await.io(done -> engine.open(id).write((long) piece * PIECE, content(piece, now), done));
      acknowledged[piece] = now;
    }
  }

  private void assertAllThere(StorageEngine engine, VolumeId id) {
    for (int piece = 0; piece < PIECES; piece++) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
      long at = (long) piece * PIECE;
      Await.io(done -> engine.open(id).read(at, bytes, done));
      assertThat(bytes.flip()).as("piece %d", piece).isEqualTo(content(piece, acknowledged[piece]));
    }
  }

  /// Waits until so much is prepared, and then until no more is, as far as two looks tell.
  private long awaitPrepared(long least) throws InterruptedException {
    Await.until("bytes that are prepared", () -> watched.prepared.sum() >= least);
    long before = -1;
    while (watched.prepared.sum() != before) {
      before = watched.prepared.sum();
      TimeUnit.MILLISECONDS.sleep(1200);
    }
    return before;
  }

  @Test
  void soMuchAsAskedForIsPreparedAndAnewWhenItIsUsed() throws Exception {
    RedirectOnWriteEngine engine = pool.open(preparing(4 * MIB, false));

    assertThat(awaitPrepared(4 * MIB)).isEqualTo(4 * MIB);
    write(engine, volume(engine), 128, 1);
    assertThat(awaitPrepared(6 * MIB)).isBetween(6 * MIB, 8 * MIB);

    engine.close();
    pool.whole();
  }

  @Test
  void whatWasWrittenIsNotPreparedAgainAfterARestart() throws Exception {
    RedirectOnWriteEngine engine = pool.open(preparing(0, true));
    long all = awaitPrepared(40 * MIB);
    engine.close();

    pool.open(preparing(0, true)).close();
    RedirectOnWriteEngine again = pool.open(preparing(8 * MIB, false));

    assertThat(awaitPrepared(all) - all).as("prepared once more").isLessThan(2 * MIB);
    again.close();
  }

  @Test
  void noZoneIsPreparedWhileAnybodyElseWritesThere() {
    watched.overtaking = 40;
    RedirectOnWriteEngine engine = pool.open(preparing(0, true));
    VolumeId id = volume(engine);
    Await.until("a zone that is prepared", () -> watched.prepared.sum() > 0);

    for (int round = 0; round < 4; round++) {
      write(engine, id, PIECES, round);
      assertAllThere(engine, id);
      engine.checkpoint();
    }
    PoolFixture crashed = pool.afterCrash(new SplittableRandom(1));
    engine.close();

    pool.whole();
    RedirectOnWriteEngine again = crashed.open();
    assertAllThere(again, id);
    again.close();
    crashed.whole();
  }

  @Test
  void allOfAFileIsWrittenWhereThatIsAskedFor(@TempDir Path folder) {
    PoolDirectory.create(folder, new NewPool(32 * MIB, false, null, FORMAT));
    Path file = folder.resolve("pool");

    try (StorageEngine engine = PoolDirectory.open(folder, preparing(0, true))) {
      assumeTrue(unwritten(file) >= 0, "the file system does not say what was written");
      Await.until("nothing but the kept zones unwritten", () -> unwritten(file) <= 24);
      assertThat(engine.spaceLimit()).isEmpty();
    }
  }

  /// Zones that were not written whole; -1 if the file system does not say.
  private static int unwritten(Path file) {
    try (FileBlockDevice device = FileBlockDevice.open(file)) {
      Medium medium = device.medium();
      int unwritten = 0;
      for (long at = 512 << 10; at < device.sizeInBytes(); at += ZONE) {
        AllocationState backing =
            medium == null ? AllocationState.UNKNOWN : medium.backing(at, ZONE);
        if (backing == AllocationState.UNKNOWN) {
          return -1;
        }
        unwritten += backing == AllocationState.WRITTEN ? 0 : 1;
      }
      return unwritten;
    }
  }
}
