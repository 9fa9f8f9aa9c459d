package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Images of a used pool with random damage, opened by the engine, read, and checked offline: an
/// error in its own words, or the right bytes.
///
/// Every second image is sealed again after the damage: all CRCs are right, and only what is behind
/// them can notice. Such an image may say something else that is possible, so that only errors,
/// memory and time are looked at.
///
/// `-Dmutated.images=N` says how many (300), `-Dtest.seed=S` runs that seed alone.
class MutatedImageTest {

  private static final int IMAGES = Integer.getInteger("mutated.images", 300);
  private static final long FIRST_SEED = Long.getLong("mutated.first", 8_000_000L);
  private static final long MOST_HEAP_FOR_AN_OPEN = 32L << 20;
  private static final UsedPool POOL = UsedPool.withJournal(31, EngineOptions.MIN_MAP_MEMORY);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect((int) UsedPool.VOLUME_SIZE));

  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger unread = new AtomicInteger();
  private final AtomicInteger noticed = new AtomicInteger();

  @Test
  void aMutatedImageIsRefusedOrReadRight() throws Exception {
    Long only = Long.getLong("test.seed");
    if (only != null) {
      run(only);
      return;
    }
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        running.add(
            executor.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < IMAGES; n = next.getAndIncrement()) {
                    run(FIRST_SEED + n);
                  }
                }));
      }
      for (Future<?> worker : running) {
        worker.get(6, TimeUnit.HOURS);
      }
    }
    assertThat(failures).isEmpty();
    System.out.printf(
        "mutated images: %d from seed %d on, %d refused, %d with blocks that do not read, %d"
            + " noticed by the checker, 0 wrong bytes%n",
        IMAGES, FIRST_SEED, refused.get(), unread.get(), noticed.get());
    assertThat(refused.get() + unread.get()).isPositive();
  }

  /// Where a superblock names the second copy of the tables.
  private static final int TWIN_OF_TABLES = 504;

  private void run(long seed) {
    try {
      SplittableRandom random = new SplittableRandom(seed);
      boolean sealed = seed % 2 == 1;
      byte[] image = sealed ? sealed(random) : raw(random);
      if (!PoolChecker.check(new MemoryDevice(image), false).isClean()) {
        noticed.incrementAndGet();
      }
      open(image, !sealed);
    } catch (NotCheckable e) {
      noticed.incrementAndGet();
    } catch (RuntimeException | Error e) {
      AssertionError failure =
          new AssertionError(
              "seed %d (repeat with -Dtest=MutatedImageTest -Dtest.seed=%d): %s"
                  .formatted(seed, seed, e),
              e);
      if (failures.size() >= 20 || Long.getLong("test.seed") != null) {
        throw failure;
      }
      failures.add(failure);
    }
  }

  // ---- damage

  /// Anything anywhere: bytes, sectors, blocks.
  private static byte[] raw(SplittableRandom random) {
    PoolImage image = new PoolImage(POOL.image());
    byte[] bytes = image.bytes;
    int at = place(image, random);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> Arrays.fill(bytes, at / 512 * 512, at / 512 * 512 + 512, (byte) 0);
      case 3 -> {
        byte[] sector = new byte[512];
        random.nextBytes(sector);
        System.arraycopy(sector, 0, bytes, at / 512 * 512, 512);
      }
      default ->
          System.arraycopy(
              bytes, random.nextInt(bytes.length / 4096) * 4096, bytes, at / 4096 * 4096, 4096);
    }
    return bytes;
  }

  /// Mostly inside a structure: most of the device is empty.
  private static int place(PoolImage image, SplittableRandom random) {
    List<PoolImage.Piece> pieces = pieces(image);
    int dice = random.nextInt(pieces.size() + 4);
    if (dice == 0) {
      return random.nextInt(image.bytes.length);
    }
    if (dice < 4) {
      return (int) image.superblockOffset(random.nextInt(2)) + random.nextInt(200);
    }
    PoolImage.Piece piece = pieces.get(dice - 4);
    boolean second = piece.twin() != 0 && random.nextBoolean();
    return (int) (second ? piece.twin() : piece.offset()) + random.nextInt(piece.length());
  }

  private static List<PoolImage.Piece> pieces(PoolImage image) {
    List<PoolImage.Piece> pieces = new ArrayList<>(image.nodes.values());
    pieces.addAll(image.batches);
    for (int i = 0; i < 8; i++) {
      pieces.addAll(image.chunks);
    }
    return pieces;
  }

  /// Fields inside structures, all CRCs made right again.
  private static byte[] sealed(SplittableRandom random) {
    PoolImage image = new PoolImage(POOL.image());
    List<PoolImage.Piece> pieces = pieces(image);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int dice = random.nextInt(pieces.size() + 3);
      ByteBuffer view = dice < 3 ? image.superblockView() : pieces.get(dice - 3).view();
      int length = dice < 3 ? 180 : pieces.get(dice - 3).length();
      int at = dice == 0 ? TWIN_OF_TABLES + random.nextInt(5) : 48 + random.nextInt(length - 52);
      switch (random.nextInt(4)) {
        case 0 -> view.put(at, (byte) (view.get(at) ^ 1 << random.nextInt(8)));
        case 1 -> view.put(at, (byte) random.nextInt(256));
        case 2 -> view.putInt(at, view.getInt(at) + random.nextInt(5) - 2);
        default -> view.putInt(at, random.nextInt() >> random.nextInt(32));
      }
    }
    image.seal();
    return image.bytes;
  }

  // ---- what becomes of it

  private void open(byte[] image, boolean compare) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    RedirectOnWriteEngine engine;
    try {
      engine =
          RedirectOnWriteEngine.open(
              new MemoryDevice(image),
              EngineOptions.defaults().withReaderThreads(1),
              UsedPool.CLOCK);
    } catch (StorageException.Damaged | StorageException.PoolUnusable e) {
      refused.incrementAndGet();
      return;
    } finally {
      long heap = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(heap).as("bytes allocated to open").isLessThan(MOST_HEAP_FOR_AN_OPEN);
    }
    try {
      int errors = 0;
      for (VolumeInfo info : engine.list()) {
        errors += read(engine, info, compare);
      }
      unread.addAndGet(errors > 0 ? 1 : 0);
    } finally {
      engine.abandon();
    }
  }

  private static int read(StorageEngine engine, VolumeInfo info, boolean compare) {
    byte[] expected = POOL.contents().get(info.id());
    int errors = 0;
    long end = Math.min(info.sizeInBytes(), UsedPool.VOLUME_SIZE);
    ByteBuffer into = BUFFER.get();
    byte[] whole = bytes(engine, info.id(), 0, into.clear().limit((int) end));
    if (whole != null) {
      compare(compare, expected, info.id(), 0, whole);
      return 0;
    }
    for (long at = 0; at + 4096 <= end; at += 4096) {
      byte[] block = bytes(engine, info.id(), at, into.clear().limit(4096));
      if (block == null) {
        errors++;
      } else {
        compare(compare, expected, info.id(), at, block);
      }
    }
    return errors;
  }

  private static byte @org.jspecify.annotations.Nullable [] bytes(
      StorageEngine engine, VolumeId volume, long offset, ByteBuffer into) {
    try {
      Await.io(done -> engine.open(volume).read(offset, into, done));
    } catch (StorageException e) {
      return null;
    }
    byte[] found = new byte[into.position()];
    into.flip().get(found);
    return found;
  }

  private static void compare(
      boolean compare,
      byte @org.jspecify.annotations.Nullable [] expected,
      VolumeId volume,
      long offset,
      byte[] found) {
    if (!compare) {
      return;
    }
    if (expected == null) {
      throw new AssertionError("expected no volume %s, found one".formatted(volume));
    }
    int to = (int) offset + found.length;
    if (Arrays.equals(found, 0, found.length, expected, (int) offset, to)) {
      return;
    }
    for (int i = 0; i < found.length; i++) {
      long at = offset + i;
      // The last batch may be torn: then what it wrote is not there.
      boolean last =
          volume.equals(UsedPool.HEAD)
              && at >= UsedPool.LAST_WRITE
              && at < UsedPool.LAST_WRITE + 2 * 4096;
      if (found[i] != expected[(int) at] && !(last && found[i] == 0)) {
        throw new AssertionError(
            "expected %d at %d of volume %s, found %d"
                .formatted(expected[(int) at], at, volume, found[i]));
      }
    }
  }
}
