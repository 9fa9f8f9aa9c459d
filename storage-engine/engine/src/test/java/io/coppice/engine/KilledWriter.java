package io.coppice.engine;

import io.coppice.engine.KillNotes.What;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.testing.Await;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/// The process that [ProcessKillTest] kills: opens the pool, writes from several threads and takes
/// and deletes snapshots meanwhile, until it dies.
final class KilledWriter {

  private static final Logger LOGGER = System.getLogger(KilledWriter.class.getName());

  static final VolumeId VOLUME = new VolumeId(new UUID(7, 7));
  static final int BLOCKS = 2048;

  private static final int THREADS = 8;
  private static final int SNAPSHOTS_KEPT = 3;

  private final StorageEngine engine;
  private final KillNotes notes;
  private final int round;

  private KilledWriter(StorageEngine engine, KillNotes notes, int round) {
    this.engine = engine;
    this.notes = notes;
    this.round = round;
  }

  /// Arguments: the pool's folder, the file of notes, the number of the round.
  public static void main(String[] arguments) throws Exception {
    int round = Integer.parseInt(arguments[2]);
    try (KillNotes notes = KillNotes.create(Path.of(arguments[1]));
        StorageEngine engine =
            PoolDirectory.open(Path.of(arguments[0]), EngineOptions.defaults())) {
      notes.add(What.OPENED, 0, round);
      KilledWriter writer = new KilledWriter(engine, notes, round);
      for (int thread = 0; thread < THREADS; thread++) {
        int own = thread;
        Thread.ofPlatform().daemon().start(() -> orDie(() -> writer.write(own)));
      }
      orDie(writer::takeSnapshots);
    }
  }

  private static void orDie(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      LOGGER.log(Level.ERROR, "The writer stops before it is killed.", e);
      Runtime.getRuntime().halt(3);
    }
  }

  /// One write at a time to every block of this thread's share: numbers of a block only rise.
  private void write(int thread) {
    SplittableRandom random = new SplittableRandom(round * 100L + thread);
    Volume volume = engine.open(VOLUME);
    for (long n = 1; ; n++) {
      int block = random.nextInt(BLOCKS / THREADS) * THREADS + thread;
      long number = ((long) round << 32) + n;
      notes.add(What.WRITE_BEGINS, block, number);
      Await.io(done -> volume.write(4096L * block, content(block, number), done));
      notes.add(What.WRITE_ENDED, block, number);
    }
  }

  private void takeSnapshots() {
    ArrayDeque<Long> kept = new ArrayDeque<>();
    for (long n = 1; ; n++) {
      long number = ((long) round << 32) + n;
      notes.add(What.SNAPSHOT_BEGINS, 0, number);
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(VOLUME, snapshot(number), Map.of())),
          Duration.ofSeconds(30));
      notes.add(What.SNAPSHOT_ENDED, 0, number);
      kept.add(number);
      if (kept.size() > SNAPSHOTS_KEPT) {
        long oldest = kept.remove();
        notes.add(What.DELETE_BEGINS, 0, oldest);
        engine.delete(OperationId.random(), snapshot(oldest));
        notes.add(What.DELETE_ENDED, 0, oldest);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  static VolumeId snapshot(long number) {
    return new VolumeId(new UUID(8, number));
  }

  /// What a block holds when `number` was written to it; all zeros for 0.
  static ByteBuffer content(int block, long number) {
    ByteBuffer content = ByteBuffer.allocateDirect(4096);
    if (number != 0) {
      SplittableRandom random = new SplittableRandom(number * BLOCKS + block);
      content.putLong(number);
      while (content.hasRemaining()) {
        content.putLong(random.nextLong());
      }
      content.flip();
    }
    return content;
  }
}
