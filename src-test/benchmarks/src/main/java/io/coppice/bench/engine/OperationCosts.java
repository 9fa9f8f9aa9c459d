package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Sizes;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.Stamps;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.kit.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/// The cost of snapshot, clone, revert and delete beside durable 4 KiB writes, for a small volume
/// and for one of 62 TiB that was written at both ends and at 1,000 places; and how fast space
/// comes back.
final class OperationCosts {

  private static final long SMALL = 1L << 30;
  private static final long LARGE = 62L << 40;
  private static final int TIMES = 51;
  private static final int PLACES = 1_000;
  private static final int DELETIONS = 5;
  private static final double MOST_WRITES = 3;
  private static final double MOST_GROWTH = 1.2;
  private static final double DELETE_MILLIS = 5;
  private static final double BACK_GIB = 5;

  private final Stage stage;
  private final Bed bed;

  OperationCosts(Stage stage, Bed bed) {
    this.stage = stage;
    this.bed = bed;
  }

  private enum Operation {
    WRITE("durable 4 KiB write"),
    SNAPSHOT("snapshot"),
    CLONE("clone"),
    REVERT("revert"),
    DELETE("delete, the call");

    private final String text;

    Operation(String text) {
      this.text = text;
    }
  }

  void measure() {
    Measured onSmall = prepare(SMALL);
    Measured onLarge = prepare(LARGE);
    for (int i = 0; i < TIMES; i++) {
      once(onSmall);
      once(onLarge);
    }
    bed.delete(onLarge.id);
    bed.deleteWholly(onSmall.id);
    Map<Operation, List<Double>> small = onSmall.costs;
    Map<Operation, List<Double>> large = onLarge.costs;
    for (Operation operation : List.of(Operation.SNAPSHOT, Operation.CLONE, Operation.REVERT)) {
      inWrites(operation, "1 GiB", small);
      inWrites(operation, "62 TiB", large);
      double growth =
          Spread.median(large.getOrDefault(operation, List.of()))
              / Spread.median(small.getOrDefault(operation, List.of()));
      stage
          .report()
          .row(
              Row.of(operation.text + ", 62 TiB beside 1 GiB", micros(large, operation) + " µs")
                  .against("1 GiB: " + micros(small, operation) + " µs")
                  .judged(growth, Aim.atMost(MOST_GROWTH)));
    }
    deleteCall("1 GiB", small);
    deleteCall("62 TiB", large);
  }

  private static String micros(Map<Operation, List<Double>> all, Operation operation) {
    return Spread.text(all.getOrDefault(operation, List.of()));
  }

  private void inWrites(Operation operation, String size, Map<Operation, List<Double>> all) {
    double ratio =
        Spread.median(all.getOrDefault(operation, List.of()))
            / Spread.median(all.getOrDefault(Operation.WRITE, List.of()));
    stage
        .report()
        .row(
            Row.of(operation.text + ", " + size, micros(all, operation) + " µs")
                .against(Operation.WRITE.text + ": " + micros(all, Operation.WRITE) + " µs")
                .judged(ratio, Aim.atMost(MOST_WRITES)));
  }

  private void deleteCall(String size, Map<Operation, List<Double>> all) {
    List<Double> micros = all.getOrDefault(Operation.DELETE, List.of());
    stage
        .report()
        .row(
            Row.of(
                    Operation.DELETE.text + ", " + size + ", in milliseconds",
                    Spread.text(micros.stream().map(one -> one / 1e3).toList()))
                .judged(Spread.median(micros) / 1e3, Aim.atMost(DELETE_MILLIS)));
  }

  /// A volume that was written at both ends and at 1,000 places, and what was measured on it.
  private record Measured(
      VolumeId id, Volume volume, Random random, Map<Operation, List<Double>> costs) {}

  private Measured prepare(long sizeInBytes) {
    VolumeId id = bed.volume(sizeInBytes);
    Volume volume = bed.engine().open(id);
    Random random = new Random(sizeInBytes);
    long places = sizeInBytes / Stamps.BLOCK;
    bed.write(volume, 0);
    bed.write(volume, sizeInBytes - Stamps.BLOCK);
    for (int i = 0; i < PLACES; i++) {
      bed.write(volume, random.nextLong(places) * Stamps.BLOCK);
    }
    Map<Operation, List<Double>> costs = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      costs.put(operation, new ArrayList<>());
    }
    return new Measured(id, volume, random, costs);
  }

  private void once(Measured on) {
    VolumeId id = on.id;
    timed(on.costs, Operation.WRITE, () -> writeSomewhere(on));
    VolumeId snapshot = timed(on.costs, Operation.SNAPSHOT, () -> bed.snapshot(id));
    VolumeId clone = timed(on.costs, Operation.CLONE, () -> bed.clone(snapshot));
    writeSomewhere(on);
    timed(
        on.costs,
        Operation.REVERT,
        () -> {
          bed.revert(id, snapshot);
          return id;
        });
    timed(
        on.costs,
        Operation.DELETE,
        () -> {
          bed.delete(clone);
          return clone;
        });
    bed.deleteWholly(snapshot);
  }

  private long writeSomewhere(Measured on) {
    long place = on.random.nextLong(on.volume.sizeInBytes() / Stamps.BLOCK);
    bed.write(on.volume, place * Stamps.BLOCK);
    return place;
  }

  private static <T> T timed(
      Map<Operation, List<Double>> costs, Operation operation, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    costs.getOrDefault(operation, new ArrayList<>()).add((System.nanoTime() - start) / 1e3);
    return result;
  }

  /// Deletes volumes of which every block is stored, written in sequence and at random, and waits
  /// until their space is back.
  void spaceBack() {
    long bytes = stage.sizes().diskBytes();
    for (boolean atRandom : new boolean[] {false, true}) {
      List<Double> calls = new ArrayList<>();
      List<Double> rates = new ArrayList<>();
      for (int i = 0; i < DELETIONS; i++) {
        VolumeId id = bed.volume(bytes);
        EngineSubject subject = bed.filled(id, bytes);
        if (atRandom) {
          subject.run(Load.randomWrite(64), bytes / 4096);
        }
        bed.engine().awaitReclaim();
        double mapped = bed.engine().spaceOf(id).mapped();
        long start = System.nanoTime();
        calls.add(Bed.micros(() -> bed.delete(id)) / 1e3);
        bed.engine().awaitReclaim();
        rates.add(mapped / Sizes.GIB / ((System.nanoTime() - start) / 1e9));
      }
      String how = atRandom ? "written at random" : "written in sequence";
      stage
          .report()
          .row(
              Row.of(
                      "space back after a delete, GiB mapped per second, %d MiB %s"
                          .formatted(bytes >> 20, how),
                      Spread.text(rates))
                  .judged(Spread.median(rates), Aim.atLeast(BACK_GIB)));
      stage
          .report()
          .row(
              Row.of("its call, in milliseconds", Spread.text(calls))
                  .judged(Spread.median(calls), Aim.atMost(DELETE_MILLIS)));
    }
  }
}
