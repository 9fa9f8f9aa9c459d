package io.coppice.bench.engine;

import io.coppice.bench.engine.Rounds.Against;
import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.FioSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.Prepared;
import io.coppice.bench.subject.QemuSubject;
import io.coppice.bench.subject.Subject;
import io.coppice.engine.VolumeId;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Random and sequential I/O beside the raw file, files of XFS and btrfs, and qcow2; then durable
/// writes just after a snapshot beside a reflink copy and a backing file.
final class IoGroup implements Group {

  private static final int CHAIN = 32;
  private static final int SAMPLES = 2_000;

  @Override
  public String name() {
    return "io";
  }

  /// Baselines that this machine could make; the reasons for the others.
  private static final class Baselines {

    private @Nullable LoopDisk xfs;
    private @Nullable FioSubject xfsFile;
    private @Nullable LoopDisk btrfs;
    private @Nullable FioSubject btrfsFile;
    private @Nullable QemuSubject full;
    private @Nullable QemuSubject chain;
    private final Map<String, String> missing = new LinkedHashMap<>();

    Baselines(Stage stage, FioSubject raw) {
      long bytes = stage.sizes().diskBytes();
      attempt(
          "xfs",
          () -> {
            LoopDisk disk = LoopDisk.make(stage, "xfs", 3 * bytes);
            xfsFile = disk.file(bytes);
            xfs = disk;
          });
      attempt(
          "btrfs",
          () -> {
            LoopDisk disk = LoopDisk.make(stage, "btrfs", 4 * bytes);
            btrfsFile = disk.file(bytes);
            btrfs = disk;
          });
      attempt(
          "qcow2",
          () -> {
            QemuImages images = new QemuImages(stage);
            full = images.full(raw.file(), bytes);
            chain = images.chain(raw.file(), bytes, CHAIN);
          });
    }

    private interface Making {

      void run() throws IOException;
    }

    private void attempt(String what, Making making) {
      try {
        making.run();
      } catch (IOException | Mismatch e) {
        missing.put(what, String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Random and sequential I/O",
            "I/Os per second, a volume of %d MiB. The raw file and the files of XFS and btrfs (on loop devices, direct) under fio: `libaio`, at depth 1 `psync`, `O_DIRECT`, `O_DSYNC`. qcow2 under `qemu-img bench`, which walks with a stride. Reads are cold: nobody caches. %d rounds of %d ms in turn. Kernel threads (loop devices, file systems) are in nobody's CPU."
                .formatted(
                    stage.sizes().diskBytes() >> 20,
                    stage.sizes().rounds(),
                    stage.sizes().time().toMillis()));
    int mark = stage.leftovers().mark();
    try {
      FioSubject raw = stage.rawFile(stage.sizes().diskBytes());
      stage.report().progress("making the baselines ...");
      Baselines baselines = new Baselines(stage, raw);
      stage.withPool(stage.sizes().poolBytes(), bed -> measure(stage, bed, raw, baselines));
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static void measure(Stage stage, Bed bed, FioSubject raw, Baselines baselines) {
    long bytes = stage.sizes().diskBytes();
    VolumeId id = bed.volume(bytes);
    EngineSubject engine = bed.filled(id, bytes);
    Rounds rounds = new Rounds(stage);
    Aim reads = Aim.atLeast(0.9);
    compare(rounds, Load.randomRead(1), engine, raw, Aim.atLeast(0.9), baselines, reads, reads);
    compare(rounds, Load.randomRead(32), engine, raw, Aim.atLeast(0.85), baselines, reads, null);
    compare(rounds, Load.sequential(100), engine, raw, Aim.atLeast(0.8), baselines, reads, reads);
    compare(rounds, Load.sequential(0), engine, raw, Aim.atLeast(0.6), baselines, reads, reads);
    compare(
        rounds,
        Load.randomWrite(1),
        engine,
        raw,
        Aim.atLeast(0.9),
        baselines,
        Aim.atLeast(1.2),
        Aim.atLeast(5));
    Aim three = Aim.atLeast(3);
    compare(rounds, Load.randomWrite(32), engine, raw, Aim.atLeast(1.3), baselines, three, three);
    compare(rounds, Load.mixed(16), engine, raw, Aim.atLeast(1), baselines, null, null);
    baselines.missing.forEach(
        (what, why) -> stage.report().row(Row.notMeasured("all of these beside " + what, why)));
    afterCopies(stage, rounds, bed, id, engine, baselines);
    engine.verify(SAMPLES);
    stage.report().note("%d blocks of the volume read back as written last.".formatted(SAMPLES));
  }

  @SuppressWarnings("TooManyParameters")
  private static void compare(
      Rounds rounds,
      Load load,
      EngineSubject engine,
      FioSubject raw,
      Aim aim,
      Baselines baselines,
      @Nullable Aim full,
      @Nullable Aim chain) {
    List<Against> against = new ArrayList<>();
    against.add(new Against(raw, aim));
    add(against, baselines.xfsFile, null);
    add(against, baselines.btrfsFile, null);
    add(against, baselines.full, full);
    add(against, baselines.chain, chain);
    rounds.compare(load.name(), load, engine, against);
  }

  private static void add(List<Against> all, @Nullable Subject subject, @Nullable Aim aim) {
    if (subject != null) {
      all.add(new Against(subject, aim));
    }
  }

  private static void afterCopies(
      Stage stage, Rounds rounds, Bed bed, VolumeId id, EngineSubject engine, Baselines baselines) {
    long bytes = stage.sizes().diskBytes();
    AtomicReference<@Nullable VolumeId> taken = new AtomicReference<>();
    Subject ours =
        new Prepared(
            engine,
            () -> {
              VolumeId before = taken.getAndSet(null);
              if (before != null) {
                bed.deleteWholly(before);
              }
              taken.set(bed.snapshot(id));
            });
    for (int depth : new int[] {1, 32}) {
      Aim xfsAim = Aim.atLeast(depth == 1 ? 2.5 : 5);
      List<Against> against = new ArrayList<>();
      add(against, copy(baselines.xfs, baselines.xfsFile, bytes), xfsAim);
      add(against, copy(baselines.btrfs, baselines.btrfsFile, bytes), null);
      QemuSubject full = baselines.full;
      if (full != null) {
        add(against, new QemuImages(stage).overlay(full.image(), bytes), null);
      }
      rounds.compare(
          "4 KiB random write after a snapshot, depth " + depth,
          Load.randomWrite(depth),
          ours,
          against);
    }
    VolumeId last = taken.get();
    if (last != null) {
      bed.deleteWholly(last);
    }
  }

  private static @Nullable Subject copy(
      @Nullable LoopDisk disk, @Nullable FioSubject file, long bytes) {
    return disk == null || file == null ? null : disk.copyOf(file, bytes);
  }
}
