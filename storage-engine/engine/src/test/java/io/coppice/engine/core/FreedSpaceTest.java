package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.FreedSpace;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A comparison of what deletions were said to give back with what the pool got back, for random
/// sets of volumes and snapshots of random families.
///
/// Compared is the `used` of the pool's space without the nodes of maps, which are metadata. It is
/// read when everything has been reclaimed, before the deletions and after them.
///
/// `-Dfreed.seeds=N` says how many seeds (40), each of 25 sets, `-Dtest.seed=S` runs that one
/// alone.
@ExtendWith(QuietEngine.class)
class FreedSpaceTest {

  private static final int SEEDS = Integer.getInteger("freed.seeds", 40);
  private static final long FIRST_SEED = 60_000_000;
  private static final int SETS = 25;
  private static final int BLOCK = 4096;

  /// Of a volume: a leaf more than an inner node of the lowest level spans.
  private static final long BLOCKS = (512 + 1) * 512;

  private int sets;
  private int togetherMore; // sets that give back more than their members one by one
  private int nothing; // sets that give back nothing
  private int notYetKnown; // sets that shared blocks with data that was not reclaimed

  @Test
  void deletionsGiveBackWhatWasSaidBefore() {
    Long only = Long.getLong("test.seed");
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      long each = only == null ? seed : only;
      Run run = new Run(each);
      try {
        run.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed %d, set %d, %s (repeat with -Dtest=FreedSpaceTest -Dtest.seed=%d): %s"
                .formatted(each, run.set, run.doing, each, e.getMessage()),
            e);
      }
      if (only != null) {
        return;
      }
    }
    assertThat(sets).isEqualTo(SEEDS * SETS);
    assertThat(togetherMore).as("sets that hold something together").isGreaterThan(sets / 10);
    assertThat(nothing).as("sets that hold nothing alone").isLessThan(sets / 3);
    assertThat(notYetKnown).as("sets that were asked about too early").isPositive();
  }

  private final class Run {
    private final Random random;
    private final PoolFixture pool = PoolFixture.ofBytes(32 << 20);
    private final boolean copies;
    private RedirectOnWriteEngine engine;
    private int set;
    private String doing = "nothing";
    private long ids;

    Run(long seed) {
      random = new Random(seed);
      long budget = random.nextBoolean() ? 64L << 20 : EngineOptions.MIN_MAP_MEMORY;
      pool.options(EngineOptions.defaults().withReaderThreads(2).withMapMemoryBytes(budget));
      copies = random.nextInt(4) > 0;
      engine = pool.format().open();
      create();
    }

    void run() {
      for (set = 0; set < SETS; set++) {
        int changes = 4 + random.nextInt(14);
        for (int i = 0; i < changes; i++) {
          change();
        }
        compare(chosen());
        if (writable().isEmpty()) {
          create();
        }
      }
      compare(all());
      assertThat(stored()).isZero();
      sets--; // that last set is not one of the random ones
      engine.close();
      pool.whole();
    }

    // ---- sets

    /// Some volumes in random order: any, a family line, or everything that is old.
    private List<VolumeId> chosen() {
      List<VolumeId> all = all();
      List<VolumeId> some = new ArrayList<>();
      VolumeId one = all.get(random.nextInt(all.size()));
      int kind = random.nextInt(4);
      double share = random.nextDouble();
      for (VolumeId id : all) {
        boolean wanted =
            switch (kind) {
              case 0 -> id.equals(one) || one.equals(origin(id));
              case 1 -> id.value().compareTo(one.value()) <= 0;
              default -> random.nextDouble() < share;
            };
        if (wanted) {
          some.add(id);
        }
      }
      if (some.isEmpty()) {
        some.add(one);
      }
      Collections.shuffle(some, random);
      return some;
    }

    private void compare(List<VolumeId> order) {
      doing = "deletion of " + order;
      FreedSpace forecast = engine.freedIfDeleted(order);
      engine.awaitReclaim();
      if (forecast.atLeast()) {
        notYetKnown++;
        FreedSpace later = engine.freedIfDeleted(order);
        assertThat(forecast.bytes()).isLessThanOrEqualTo(later.bytes());
        forecast = later;
      }
      assertThat(forecast.atLeast()).isFalse();
      assertThat(forecast.steps()).extracting(FreedSpace.Step::volume).isEqualTo(order);
      compareQuestions(forecast, order);
      count(forecast, order);
      if (random.nextInt(3) > 0) {
        deleteTogether(forecast, order);
      } else {
        deleteOneByOne(forecast);
      }
    }

    /// The order changes nothing in the sum, and a smaller question has the same beginning.
    private void compareQuestions(FreedSpace forecast, List<VolumeId> order) {
      List<VolumeId> otherOrder = new ArrayList<>(order);
      Collections.shuffle(otherOrder, random);
      otherOrder.addAll(order); // named twice, counted once
      assertThat(engine.freedIfDeleted(otherOrder).bytes()).isEqualTo(forecast.bytes());

      long enough = random.nextLong(forecast.bytes() + 2 * BLOCK);
      List<FreedSpace.Step> expected = new ArrayList<>();
      long before = 0;
      for (FreedSpace.Step step : forecast.steps()) {
        if (before < enough) {
          expected.add(step);
        }
        before = step.bytes();
      }
      assertThat(engine.freedInOrder(order, enough).steps()).isEqualTo(expected);
    }

    private void count(FreedSpace forecast, List<VolumeId> order) {
      long alone = 0;
      for (VolumeId id : order) {
        alone += engine.freedIfDeleted(List.of(id)).bytes();
      }
      sets++;
      togetherMore += alone < forecast.bytes() ? 1 : 0;
      nothing += forecast.bytes() == 0 ? 1 : 0;
    }

    private void deleteTogether(FreedSpace forecast, List<VolumeId> order) {
      long before = stored();
      order.forEach(id -> engine.delete(operation(), id));
      engine.awaitReclaim();
      assertThat(before - stored()).as("bytes that came back").isEqualTo(forecast.bytes());
    }

    private void deleteOneByOne(FreedSpace forecast) {
      long before = stored();
      for (FreedSpace.Step step : forecast.steps()) {
        engine.delete(operation(), step.volume());
        engine.awaitReclaim();
        assertThat(before - stored())
            .as("bytes that came back with and before %s", step.volume())
            .isEqualTo(step.bytes());
      }
    }

    /// The used space of the pool without the nodes of maps, in bytes.
    private long stored() {
      var space = engine.parts().state().space();
      long nodes = 2 * (2 * space.leaves() + 3 * space.inners());
      return engine.space().used() - nodes * BLOCK;
    }

    // ---- changes

    private void change() {
      switch (random.nextInt(20)) {
        case 0, 1 -> create();
        case 2, 3, 4, 5 -> snapshot();
        case 6, 7 -> copy();
        case 8 -> revert();
        case 9 -> delete();
        case 10, 11 -> unmap();
        case 12, 13 -> fill();
        case 14, 15 -> copyRange();
        case 16 -> restart();
        default -> write();
      }
    }

    private boolean isFull() {
      return all().size() > 14;
    }

    private void create() {
      if (!isFull()) {
        doing = "create";
        engine.create(operation(), VolumeSpec.thin(id(), BLOCKS * BLOCK));
      }
    }

    private void snapshot() {
      if (!isFull() && !writable().isEmpty()) {
        doing = "snapshot";
        SnapshotSpec spec = new SnapshotSpec(anyWritable(), id(), Map.of());
        engine.snapshot(operation(), List.of(spec), Duration.ofSeconds(60));
        write();
      }
    }

    private void copy() {
      if (!isFull()) {
        doing = "clone";
        engine.clone(operation(), new CloneSpec(any(), id(), false, Map.of()));
      }
    }

    private void revert() {
      for (VolumeId id : all()) {
        VolumeId origin = origin(id);
        if (origin != null && writable().contains(origin) && random.nextBoolean()) {
          doing = "revert";
          engine.revert(operation(), origin, id);
          return;
        }
      }
    }

    private void delete() {
      VolumeId id = any();
      if (!List.of(id).equals(writable())) {
        doing = "delete";
        engine.delete(operation(), id);
      }
    }

    private void write() {
      doing = "write";
      int blocks = 1 + random.nextInt(6);
      byte[] bytes = new byte[blocks * BLOCK];
      for (int i = 0; i < bytes.length; i += 64) {
        bytes[i] = (byte) (1 + random.nextInt(255));
      }
      Volume volume = engine.open(anyWritable());
      long offset = place(blocks) * BLOCK;
      Await.io(done -> volume.write(offset, ByteBuffer.wrap(bytes), done));
    }

    private void fill() {
      if (copies) {
        doing = "fill";
        long blocks = 2L + random.nextInt(6);
        byte[] bytes = new byte[BLOCK];
        bytes[0] = (byte) (1 + random.nextInt(255));
        Volume volume = engine.open(anyWritable());
        long offset = place(blocks) * BLOCK;
        Await.io(done -> volume.writeSame(offset, blocks * BLOCK, ByteBuffer.wrap(bytes), done));
      }
    }

    // From a few blocks to subtrees of every level.
    private void unmap() {
      doing = "unmap";
      long blocks =
          switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(20);
            case 1 -> 512L * (1 + random.nextInt(4));
            case 2 -> 512L * 512;
            default -> BLOCKS;
          };
      long at = random.nextBoolean() ? place(1) : place(1) / 512 * 512;
      long first = blocks >= 512 * 512 ? 0 : at;
      long count = Math.min(blocks, BLOCKS - first);
      Volume volume = engine.open(anyWritable());
      Await.io(done -> volume.unmap(first * BLOCK, count * BLOCK, done));
    }

    private void copyRange() {
      if (!copies) {
        return;
      }
      doing = "copy of a range";
      VolumeId source = any();
      VolumeId id = anyWritable();
      long blocks = 1L + random.nextInt(40);
      long from = place(blocks);
      long first = place(blocks);
      if (!source.equals(id) || Math.abs(from - first) >= blocks) {
        Volume other = engine.open(source);
        Volume volume = engine.open(id);
        Await.io(done -> volume.copyFrom(other, from * BLOCK, first * BLOCK, blocks * BLOCK, done));
      }
    }

    private void restart() {
      doing = "restart";
      if (random.nextBoolean()) {
        engine.abandon();
      } else {
        engine.close();
      }
      engine = pool.open();
    }

    private long place(long blocks) {
      long leaf = random.nextInt(4) == 0 ? 512 : random.nextInt(3);
      return Math.min(leaf * 512 + random.nextInt(40), BLOCKS - blocks);
    }

    // ---- volumes

    private List<VolumeId> all() {
      return engine.list().stream().map(VolumeInfo::id).toList();
    }

    private List<VolumeId> writable() {
      return engine.list().stream()
          .filter(info -> info.kind() == VolumeKind.WRITABLE)
          .map(VolumeInfo::id)
          .toList();
    }

    private VolumeId origin(VolumeId id) {
      VolumeInfo info = engine.find(id).orElseThrow();
      return info.kind() == VolumeKind.SNAPSHOT ? info.origin() : null;
    }

    private VolumeId any() {
      return all().get(random.nextInt(all().size()));
    }

    private VolumeId anyWritable() {
      List<VolumeId> all = writable();
      return all.get(random.nextInt(all.size()));
    }

    private VolumeId id() {
      return new VolumeId(new UUID(2, ++ids));
    }

    private OperationId operation() {
      return new OperationId(new UUID(3, ++ids));
    }
  }
}
