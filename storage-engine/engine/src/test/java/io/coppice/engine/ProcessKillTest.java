package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real processes under write load, killed with SIGKILL one after the other on the same pool.
///
/// `-Dkill.rounds=N` says how many (12), `-Dtest.seed=S` when each is killed.
class ProcessKillTest {

  private static final int ROUNDS = Integer.getInteger("kill.rounds", 12);

  @TempDir private Path folder;

  /// After every kill the offline checker finds nothing; after every other one, what each
  /// acknowledged write and snapshot left is there, and nothing that was never written.
  @Test
  void noAcknowledgedChangeIsLostHoweverOftenTheProcessIsKilled() throws Exception {
    long seed = Long.getLong("test.seed", 4_000_001L);
    SplittableRandom random = new SplittableRandom(seed);
    Path pool = folder.resolve("pool");
    PoolDirectory.create(
        pool, 128L << 20, new PoolFormat(VolumeId.random().value(), 1 << 20, Instant.now()));
    try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
      engine.create(
          OperationId.random(), VolumeSpec.thin(KilledWriter.VOLUME, 4096L * KilledWriter.BLOCKS));
    }
    KillModel model = new KillModel();
    for (int round = 1; round <= ROUNDS; round++) {
      model.add(kill(pool, round, random));
      try (FileBlockDevice device = FileBlockDevice.open(pool.resolve("pool"))) {
        CheckedPool.whole(device);
      }
      if (round % 2 == 0 || round == ROUNDS) {
        verify(pool, model);
      }
    }
    System.out.printf(
        "processes killed: %d, %d acknowledged writes, 0 lost (seed %d)%n",
        ROUNDS, model.writes(), seed);
    assertThat(model.writes()).as("acknowledged writes").isGreaterThan(ROUNDS);
  }

  private static void verify(Path pool, KillModel model) {
    try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
      model.verify(engine);
      model.deleteSnapshots(engine);
    }
  }

  /// Lets a process work for a while: in most rounds on an open pool, else it may die in recovery.
  private List<KillNotes.Note> kill(Path pool, int round, SplittableRandom random)
      throws Exception {
    Path notes = folder.resolve("notes-" + round);
    Path output = folder.resolve("output-" + round);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                pool.toString(),
                notes.toString(),
                Integer.toString(round))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (random.nextInt(4) > 0) {
        Await.until(
            "the process to open the pool",
            () -> !process.isAlive() || (Files.exists(notes) && notes.toFile().length() > 0));
      }
      boolean ended = process.waitFor(random.nextInt(50, 600), TimeUnit.MILLISECONDS);
      assertThat(ended).as(() -> "the process ended by itself: " + text(output)).isFalse();
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    return Files.exists(notes) ? KillNotes.read(notes) : List.of();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
