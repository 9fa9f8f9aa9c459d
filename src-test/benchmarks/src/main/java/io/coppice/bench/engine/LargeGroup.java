package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.range.ByteRange;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// A volume of 62 TiB through its whole life, every step checked.
final class LargeGroup implements Group {

  private static final long SIZE = 62L << 40;
  private static final int BLOCK = 4096;
  private static final int CHUNK = 1 << 20;
  private static final int PLACES = 1_000;
  private static final long SEED = 62;
  private static final double MOST_SECONDS = 60;

  @Override
  public String name() {
    return "large";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "A volume of 62 TiB",
            "Created, written at both ends and at %,d random places, snapshotted, cloned, compared with what it was before (exactly those places), written elsewhere, reverted and deleted; maps may take %d MiB of memory. Seconds; what is read back is checked."
                .formatted(PLACES, EngineOptions.defaults().resources().mapMemoryBytes() >> 20));
    stage.withPool(stage.sizes().fullPoolBytes(), bed -> new Life(stage, bed).run());
  }

  private static final class Life {

    private final Stage stage;
    private final Bed bed;
    private final Set<Long> places = new TreeSet<>(Set.of(0L, SIZE / BLOCK - 1));
    private double total;
    private long mapBytes;

    Life(Stage stage, Bed bed) {
      this.stage = stage;
      this.bed = bed;
      Random random = new Random(SEED);
      while (places.size() < PLACES + 2) {
        places.add(random.nextLong(SIZE / BLOCK));
      }
    }

    void run() {
      VolumeId[] made = new VolumeId[4];
      step("create", () -> made[0] = bed.volume(SIZE));
      VolumeId id = made[0];
      Volume volume = bed.engine().open(id);
      step("snapshot of nothing", () -> made[1] = bed.snapshot(id));
      step("write %,d places".formatted(places.size()), () -> write(volume, 1));
      step("snapshot", () -> made[2] = bed.snapshot(id));
      step("clone", () -> made[3] = bed.clone(made[2]));
      step("read the clone", () -> check(bed.engine().open(made[3]), 1));
      step("compare the two snapshots", () -> compare(made[2], made[1]));
      step("write the places anew", () -> write(volume, 2));
      step("read them", () -> check(volume, 2));
      step("revert", () -> bed.revert(id, made[2]));
      step("read them as they were", () -> check(volume, 1));
      step(
          "delete all four, and have the space back",
          () -> {
            for (VolumeId one : made) {
              bed.delete(one);
            }
            bed.engine().awaitReclaim();
          });
      stage
          .report()
          .row(
              Row.of(
                      "all of it",
                      "%.2f s, maps took %.1f MiB at most"
                          .formatted(total, mapBytes / (double) (1 << 20)))
                  .judged(total, Aim.atMost(MOST_SECONDS)));
    }

    private void step(String what, Runnable work) {
      double seconds = Bed.seconds(work);
      total += seconds;
      mapBytes = Math.max(mapBytes, bed.engine().maps().usedBytes());
      stage.report().row(Row.of(what, "%.4f s".formatted(seconds)));
    }

    private void write(Volume volume, long generation) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
      for (long place : places) {
        block.putLong(0, place).putLong(8, generation);
        volume.write(place * BLOCK, block.clear());
      }
    }

    private void check(Volume volume, long generation) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
      for (long place : places) {
        volume.read(place * BLOCK, block.clear());
        if (block.getLong(0) != place || block.getLong(8) != generation) {
          throw new Mismatch(
              "expected block %d as written by write %d, it begins with %d, %d"
                  .formatted(place, generation, block.getLong(0), block.getLong(8)));
        }
      }
    }

    // First in pieces of 1 MiB, then each that differs by the block.
    private void compare(VolumeId now, VolumeId before) {
      Set<Long> found = new TreeSet<>();
      bed.engine().unshared(now, before, new ByteRange(0, SIZE), CHUNK).set().stream()
          .mapToLong(chunk -> (long) chunk * CHUNK)
          .forEach(
              at ->
                  bed.engine().unshared(now, before, new ByteRange(at, CHUNK), BLOCK).set().stream()
                      .forEach(block -> found.add(at / BLOCK + block)));
      if (!found.equals(places)) {
        throw new Mismatch(
            "expected exactly %d blocks to differ, %d do".formatted(places.size(), found.size()));
      }
    }
  }
}
