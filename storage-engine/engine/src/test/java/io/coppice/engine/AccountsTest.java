package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What volumes hold alone, and what their deletion gives back, after every step of random changes
/// of families: against a model that looks at everything, and the checker after every restart.
///
/// `-Daccounts.seeds=N` says how many seeds (40), `-Dtest.seed=S` runs that one alone.
@ExtendWith(QuietEngine.class)
class AccountsTest {

  private static final int SEEDS = Integer.getInteger("accounts.seeds", 40);
  private static final long FIRST_SEED = 19_000_000;
  private static final int STEPS = 120;
  private static final int BLOCK = 4096;

  /// Of a volume: a leaf more than an inner node of the lowest level spans.
  private static final long BLOCKS = (512 + 1) * 512;

  @Test
  void figuresAreExactAfterEveryStep() {
    Long only = Long.getLong("test.seed");
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      long each = only == null ? seed : only;
      Run run = new Run(each);
      try {
        run.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed %d, step %d, %s (repeat with -Dtest=AccountsTest -Dtest.seed=%d): %s"
                .formatted(each, run.step, run.doing, each, e.getMessage()),
            e);
      }
      if (only != null) {
        return;
      }
    }
  }

  private static final class Run {
    private final SplittableRandom random;
    private final PoolFixture pool = PoolFixture.ofBytes(24 << 20);
    private final FamilyModel model = new FamilyModel();
    private final List<VolumeId> writable = new ArrayList<>();
    private final Map<VolumeId, VolumeId> origins = new java.util.HashMap<>(); // of snapshots
    private final boolean copies;
    private RedirectOnWriteEngine engine;
    private int step;
    private String doing = "nothing";
    private long ids;

    Run(long seed) {
      random = new SplittableRandom(seed);
      long budget = random.nextBoolean() ? 64L << 20 : EngineOptions.MIN_MAP_MEMORY;
      pool.options(EngineOptions.defaults().withReaderThreads(2).withMapMemoryBytes(budget));
      copies = random.nextInt(3) > 0;
      engine = pool.format().open();
      create();
    }

    void run() {
      for (step = 0; step < STEPS; step++) {
        change();
        compareUnique();
        if (copies) {
          engine.awaitReclaim(); // what waits to be reclaimed is a place of its block until then
        }
        compareFreed();
      }
      restart(false);
      deleteEverything();
      engine.close();
      pool.whole();
    }

    private void change() {
      switch (random.nextInt(20)) {
        case 0 -> create();
        case 1, 2, 3 -> snapshot();
        case 4, 5 -> copy();
        case 6 -> revert();
        case 7, 8 -> delete();
        case 9, 10 -> unmap();
        case 11 -> fill();
        case 12 -> copyRange();
        case 13 -> restart(random.nextBoolean());
        case 14 -> {
          doing = "checkpoint";
          engine.checkpoint();
        }
        default -> write();
      }
    }

    private void create() {
      if (model.volumes().size() > 12) {
        return;
      }
      doing = "create";
      VolumeId id = id();
      engine.create(operation(), VolumeSpec.thin(id, BLOCKS * BLOCK));
      model.create(id);
      writable.add(id);
    }

    private void snapshot() {
      if (model.volumes().size() > 12) {
        return;
      }
      doing = "snapshot";
      VolumeId volume = anyWritable();
      VolumeId id = id();
      engine.snapshot(
          operation(), List.of(new SnapshotSpec(volume, id, Map.of())), Duration.ofSeconds(60));
      model.snapshot(volume, id);
      origins.put(id, volume);
    }

    private void copy() {
      if (model.volumes().size() > 12) {
        return;
      }
      doing = "clone";
      VolumeId source = any();
      VolumeId id = id();
      engine.clone(operation(), new CloneSpec(source, id, false, Map.of()));
      model.copy(source, id, origins.containsKey(source));
      writable.add(id);
    }

    private void revert() {
      doing = "revert";
      Map<VolumeId, VolumeId> snapshots = new LinkedHashMap<>();
      for (Map.Entry<VolumeId, VolumeId> each : origins.entrySet()) {
        if (writable.contains(each.getValue()) && random.nextBoolean()) {
          snapshots.put(each.getValue(), each.getKey());
        }
      }
      if (!snapshots.isEmpty()) {
        engine.revert(operation(), snapshots);
        snapshots.forEach(model::revert);
      }
    }

    private void delete() {
      VolumeId id = any();
      if (writable.size() == 1 && writable.contains(id)) {
        return;
      }
      doing = "delete";
      engine.delete(operation(), id);
      model.delete(id);
      writable.remove(id);
      origins.remove(id);
    }

    private void write() {
      doing = "write";
      VolumeId id = anyWritable();
      int blocks = 1 + random.nextInt(6);
      long first = place(blocks);
      byte[] bytes = new byte[blocks * BLOCK];
      for (int i = 0; i < bytes.length; i += 64) {
        bytes[i] = (byte) (1 + random.nextInt(255));
      }
      Await.io(done -> engine.open(id).write(first * BLOCK, ByteBuffer.wrap(bytes), done));
      model.write(id, first, blocks);
    }

    private void fill() {
      if (!copies) {
        return;
      }
      doing = "fill";
      VolumeId id = anyWritable();
      int blocks = 2 + random.nextInt(6);
      long first = place(blocks);
      byte[] bytes = new byte[BLOCK];
      bytes[0] = (byte) (1 + random.nextInt(255));
      Await.io(
          done ->
              engine
                  .open(id)
                  .writeSame(first * BLOCK, (long) blocks * BLOCK, ByteBuffer.wrap(bytes), done));
      model.fill(id, first, blocks);
    }

    // From a few blocks to subtrees of every level.
    private void unmap() {
      VolumeId id = anyWritable();
      long blocks =
          switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(20);
            case 1 -> 512L * (1 + random.nextInt(4));
            case 2 -> 512L * 512;
            default -> BLOCKS;
          };
      long first = place(1);
      first = random.nextBoolean() ? first : first / 512 * 512;
      first = blocks >= 512 * 512 ? 0 : first;
      long count = Math.min(blocks, BLOCKS - first);
      long at = first;
      doing = "unmap of %d blocks at %d".formatted(count, at);
      Await.io(done -> engine.open(id).unmap(at * BLOCK, count * BLOCK, done));
      model.unmap(id, at, count);
    }

    private void copyRange() {
      if (!copies) {
        return;
      }
      doing = "copy of a range";
      VolumeId source = any();
      VolumeId id = anyWritable();
      int blocks = 1 + random.nextInt(40);
      long from = place(blocks);
      long first = place(blocks);
      if (source.equals(id) && Math.abs(from - first) < blocks) {
        return;
      }
      Volume other = engine.open(source);
      Await.io(
          done ->
              engine
                  .open(id)
                  .copyFrom(other, from * BLOCK, first * BLOCK, (long) blocks * BLOCK, done));
      model.copyRange(id, first, source, from, blocks);
    }

    private void restart(boolean kill) {
      doing = kill ? "kill" : "restart";
      if (kill) {
        engine.abandon();
      } else {
        engine.close();
      }
      engine = null;
      engine = pool.whole().open();
    }

    private void deleteEverything() {
      doing = "deletion of everything";
      for (VolumeId id : List.copyOf(model.volumes())) {
        long expected = model.freed(id);
        assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(expected * BLOCK);
        engine.delete(operation(), id);
        model.delete(id);
        engine.awaitReclaim();
      }
      assertThat(model.held()).isEmpty();
    }

    private void compareUnique() {
      for (VolumeId id : model.volumes()) {
        VolumeSpace expected =
            new VolumeSpace(model.mapped(id) * BLOCK, model.unique(id) * BLOCK, 0);
        assertThat(engine.spaceOf(id)).as("volume %s", id).isEqualTo(expected);
        assertThat(engine.mappedOf(id)).as("volume %s", id).isEqualTo(expected.mapped());
      }
    }

    private void compareFreed() {
      for (VolumeId id : model.volumes()) {
        assertThat(engine.freedIfDeleted(List.of(id)).bytes())
            .as("freed by the deletion of %s", id)
            .isEqualTo(model.freed(id) * BLOCK);
      }
    }

    private long place(int blocks) {
      long leaf = random.nextInt(4) == 0 ? 512 : random.nextInt(3);
      return Math.min(leaf * 512 + random.nextInt(40), BLOCKS - blocks);
    }

    private VolumeId any() {
      List<VolumeId> all = new ArrayList<>(model.volumes());
      all.sort(java.util.Comparator.comparing(VolumeId::value));
      return all.get(random.nextInt(all.size()));
    }

    private VolumeId anyWritable() {
      return writable.get(random.nextInt(writable.size()));
    }

    private VolumeId id() {
      return new VolumeId(new UUID(2, ++ids));
    }

    private OperationId operation() {
      return new OperationId(new UUID(3, ++ids));
    }
  }
}
