package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Sizes;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Stamps;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Spread;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/// The time that a pool takes to open after its process was killed under load, shortly before its
/// next checkpoint was due: with little and with much mapped.
final class RecoveryGroup implements Group {

  private static final int STEP = 4 << 20;
  private static final int SAMPLES = 1_000;
  private static final double MOST_SECONDS = 5;
  private static final double MOST_GROWTH = 1.3;

  /// Most of what can have to be replayed: a little less than makes a checkpoint due.
  private static final long WRITES =
      Math.min(
              EngineOptions.defaults().log().checkpointRecords(),
              EngineOptions.defaults().log().checkpointBytes() / RecoveryChild.BLOCK)
          * 9
          / 10;

  @Override
  public String name() {
    return "recovery";
  }

  /// A pool to be killed.
  ///
  /// @param mapped the volume that is written to meanwhile
  /// @param source what `mapped` held, again and again
  private record Victim(
      String what,
      Path pool,
      VolumeId mapped,
      Stamps source,
      List<Double> seconds,
      List<Double> records) {}

  @Override
  public void run(Stage stage) throws IOException {
    Sizes sizes = stage.sizes();
    stage
        .report()
        .group(
            "Recovery after kill -9",
            "Seconds until a pool is open whose process was killed while it wrote 4 KiB all over what is mapped at depth 32, %,d writes after it had opened it; %d times in turn. The leaves of what is mapped are its own, by copies by pointer; %d blocks of it, and as many acknowledged writes, are read back each time."
                .formatted(WRITES, stage.sizes().rounds(), SAMPLES));
    int mark = stage.leftovers().mark();
    try {
      Victim small = victim(stage, "small", sizes.mappedSmall(), 0);
      Victim large = victim(stage, "large", sizes.mappedLarge(), sizes.clones());
      for (int i = 0; i < stage.sizes().rounds(); i++) {
        kill(stage, small);
        kill(stage, large);
      }
      row(stage, small);
      row(stage, large);
      double growth = Spread.median(large.seconds) / Spread.median(small.seconds);
      stage
          .report()
          .row(
              Row.of("the second beside the first", Spread.text(large.seconds))
                  .against(Spread.text(small.seconds))
                  .judged(growth, Aim.atMost(MOST_GROWTH)));
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static void row(Stage stage, Victim victim) {
    stage
        .report()
        .row(
            Row.of(
                    "recovery, " + victim.what + ", the longest",
                    "%s s, %s records replayed"
                        .formatted(Spread.text(victim.seconds), Spread.text(victim.records)))
                .judged(Spread.most(victim.seconds), Aim.atMost(MOST_SECONDS)));
  }

  private static Victim victim(Stage stage, String name, long mappedBytes, int clones) {
    long sourceBytes = stage.sizes().diskBytes();
    boolean isStored = clones == 0;
    // Without data of its own: what is kept back for checkpoints of its leaves, 72 KiB for 2 MiB.
    long room = isStored ? mappedBytes * 5 / 4 : mappedBytes / 22 + sourceBytes;
    Path pool = stage.newPool(name, room + 5 * Sizes.GIB / 2);
    stage.report().progress("mapping %s ...".formatted(Sizes.text(mappedBytes)));
    try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
      Bed bed = new Bed(Stage.whole(engine));
      VolumeId mapped = bed.volume(mappedBytes);
      Stamps stamps;
      if (isStored) {
        stamps = bed.filled(mapped, mappedBytes).stamps();
      } else {
        EngineSubject source = bed.filled(bed.volume(sourceBytes), sourceBytes);
        stamps = source.stamps();
        Volume into = engine.open(mapped);
        Bed.inSteps(
            mappedBytes,
            STEP,
            8,
            (at, done) -> into.copyFrom(source.volume(), at % sourceBytes, at, STEP, done));
        Random random = new Random(clones);
        for (int i = 0; i < clones; i++) {
          Volume clone = engine.open(bed.clone(mapped));
          bed.write(clone, random.nextLong(mappedBytes / 4096) * 4096);
        }
      }
      String what =
          "%s mapped%s"
              .formatted(
                  Sizes.text(mappedBytes), isStored ? "" : " and %,d clones".formatted(clones));
      return new Victim(what, pool, mapped, stamps, new ArrayList<>(), new ArrayList<>());
    }
  }

  private static void kill(Stage stage, Victim victim) throws IOException {
    stage.report().progress("killing a process, %s ...".formatted(victim.what));
    int tag = victim.seconds.size() + 1;
    runUntilKilled(victim, tag);
    AtomicReference<StorageEngine> opened = new AtomicReference<>();
    victim.seconds.add(
        Bed.seconds(() -> opened.set(PoolDirectory.open(victim.pool, EngineOptions.defaults()))));
    try (StorageEngine engine = opened.get()) {
      victim.records.add((double) engine.pool().recoveredRecords());
      Volume mapped = engine.open(victim.mapped);
      verifyMapped(mapped, victim.source, tag);
      verifyAcknowledged(mapped, tag);
    }
  }

  private static void runUntilKilled(Victim victim, int tag) throws IOException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseCompactObjectHeaders",
                "-cp",
                System.getProperty("java.class.path"),
                RecoveryChild.class.getName(),
                victim.pool.toString(),
                victim.mapped.toString(),
                Long.toString(WRITES),
                Integer.toString(tag))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = child.inputReader()) {
      String line = output.readLine();
      if (!RecoveryChild.STABLE.equals(line)) {
        throw new Mismatch(
            "expected the process to print %s, got %s".formatted(RecoveryChild.STABLE, line));
      }
    } finally {
      child.destroyForcibly().onExit().join();
    }
  }

  // A block is as it was mapped, or one of the processes wrote it.
  private static void verifyMapped(Volume mapped, Stamps source, int tag) {
    long blocks = mapped.sizeInBytes() / RecoveryChild.BLOCK;
    Random random = new Random(tag);
    ByteBuffer content = RecoveryChild.buffer();
    for (int i = 0; i < SAMPLES; i++) {
      long block = random.nextLong(blocks);
      mapped.read(block * RecoveryChild.BLOCK, content.clear());
      long number = content.getLong(0);
      long by = content.getLong(Long.BYTES);
      boolean isWritten =
          by >= 1 && by <= tag && number >= 0 && RecoveryChild.place(number, blocks) == block;
      if (!isWritten && !source.matches(block % source.blocks(), content)) {
        throw new Mismatch(
            "expected block %d as it was mapped or written, it begins with %d, %d"
                .formatted(block, number, by));
      }
    }
  }

  // What came after the last write that was acknowledged may be there.
  private static void verifyAcknowledged(Volume mapped, int tag) {
    long blocks = mapped.sizeInBytes() / RecoveryChild.BLOCK;
    Random random = new Random(tag);
    ByteBuffer content = RecoveryChild.buffer();
    for (int i = 0; i < SAMPLES; i++) {
      long number = random.nextLong(WRITES);
      long place = RecoveryChild.place(number, blocks);
      mapped.read(place * RecoveryChild.BLOCK, content.clear());
      long found = content.getLong(0);
      if (content.getLong(Long.BYTES) != tag
          || found < number
          || RecoveryChild.place(found, blocks) != place) {
        throw new Mismatch(
            "expected acknowledged write %d of process %d at block %d or a later one, found %d of %d"
                .formatted(number, tag, place, found, content.getLong(Long.BYTES)));
      }
    }
  }
}
