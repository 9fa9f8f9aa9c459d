package io.coppice.bench.engine;

import io.coppice.engine.OperationId;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What snapshot, clone, revert and delete cost, counted in durable 4 KiB writes, for a small
/// volume and for one of 62 TiB that was written at both ends and at 1,000 places.
final class CopyCosts {

  private static final long SMALL = 1L << 30;
  private static final long LARGE = 62L << 40;
  private static final int ROUNDS = 51;
  private static final int PLACES = 1_000;

  private final Bed bed;
  private final PrintStream out;

  CopyCosts(Bed bed, PrintStream out) {
    this.bed = bed;
    this.out = out;
  }

  private record Costs(
      double write, double snapshot, double cloning, double revert, double delete) {}

  void measure() {
    Costs small = measure(SMALL);
    Costs large = measure(LARGE);
    out.printf(
        "%n| Operation | 1 GiB, µs (in 4 KiB writes) | 62 TiB, µs (in 4 KiB writes) | 62 TiB / 1 GiB |%n|---|---|---|---|%n");
    out.printf("| durable 4 KiB write | %.0f | %.0f | |%n", small.write, large.write);
    row("snapshot", small.snapshot, small.write, large.snapshot, large.write);
    row("clone", small.cloning, small.write, large.cloning, large.write);
    row("revert", small.revert, small.write, large.revert, large.write);
    row("delete (the call)", small.delete, small.write, large.delete, large.write);
  }

  private void row(String name, double small, double write, double large, double largeWrite) {
    out.printf(
        "| %s | %.0f (%.1f) | %.0f (%.1f) | %.2f |%n",
        name, small, small / write, large, large / largeWrite, large / small);
  }

  private Costs measure(long sizeInBytes) {
    VolumeId id = bed.volume(sizeInBytes);
    Volume volume = bed.engine().open(id);
    Random random = new Random(sizeInBytes);
    long places = sizeInBytes / 4096;
    bed.write(volume, 0);
    bed.write(volume, sizeInBytes - 4096);
    for (int i = 0; i < PLACES; i++) {
      bed.write(volume, random.nextLong(places) * 4096);
    }
    List<Double> write = new ArrayList<>();
    List<Double> snapshot = new ArrayList<>();
    List<Double> clone = new ArrayList<>();
    List<Double> revert = new ArrayList<>();
    List<Double> delete = new ArrayList<>();
    VolumeId[] made = new VolumeId[2];
    for (int i = 0; i < ROUNDS; i++) {
      write.add(Bed.micros(() -> bed.write(volume, random.nextLong(places) * 4096)));
      snapshot.add(Bed.micros(() -> made[0] = bed.snapshot(id)));
      clone.add(Bed.micros(() -> made[1] = bed.clone(made[0])));
      bed.write(volume, random.nextLong(places) * 4096);
      revert.add(Bed.micros(() -> bed.engine().revert(OperationId.random(), id, made[0])));
      delete.add(Bed.micros(() -> bed.delete(made[1])));
      bed.delete(made[0]);
    }
    bed.delete(id);
    return new Costs(
        Rounds.median(write),
        Rounds.median(snapshot),
        Rounds.median(clone),
        Rounds.median(revert),
        Rounds.median(delete));
  }
}
