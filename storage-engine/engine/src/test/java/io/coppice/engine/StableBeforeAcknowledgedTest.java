package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.UnsyncedDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The kernel's own account of what was stable when: a process writes one block after the other and
/// notes each acknowledgement in a file of its own; `strace` sees both.
class StableBeforeAcknowledgedTest {

  private static final int WRITES = 1_000;

  @TempDir private Path folder;

  @Test
  void everyAcknowledgedBatchWasStableBeforeItsAnswer() throws Exception {
    assumeTrue(straceWorks(), "strace is not installed or may not trace here");

    SyncTrace.Verdict verdict = trace("synced");

    assertThat(verdict.acknowledged()).isEqualTo(1 + WRITES);
    assertThat(verdict.early()).as("batches acknowledged before they were stable").isEmpty();
  }

  @Test
  void theSameCheckIsRedForAnEngineThatLeavesTheSyncOut() throws Exception {
    assumeTrue(straceWorks(), "strace is not installed or may not trace here");

    SyncTrace.Verdict verdict = trace("unsynced");

    assertThat(verdict.acknowledged()).isEqualTo(1 + WRITES);
    assertThat(verdict.early()).hasSize(WRITES);
  }

  @Test
  void aTraceIsJudgedByTheOrderOfItsEvents() {
    String open = "7 openat(AT_FDCWD</>, \"/p/pool\", O_RDWR|O_DSYNC|O_DIRECT) = 5</p/pool>";
    String plain = "7 openat(AT_FDCWD</>, \"/p/pool\", O_RDWR) = 4</p/pool>";
    String answer = "9 write(6</p/acknowledged>, \"\"..., 1) = 1";

    assertThat(earlyOf(open, "7 pwrite64(5</p/pool>, \"\"..., 8192, 0) = 8192", answer)).isEmpty();
    assertThat(
            earlyOf(
                open,
                "7 pwrite64(5</p/pool>, \"\"..., 8192, 0 <unfinished ...>",
                answer,
                "7 <... pwrite64 resumed>) = 8192"))
        .containsExactly(0);
    assertThat(earlyOf(open, "7 pwrite64(5</p/pool>, \"\"..., 8192, 0) = -1 EIO (error)", answer))
        .containsExactly(0);
    assertThat(earlyOf(plain, "7 pwrite64(4</p/pool>, \"\"..., 8192, 0) = 8192", answer))
        .containsExactly(0);
    assertThat(
            earlyOf(
                plain,
                "7 pwrite64(4</p/pool>, \"\"..., 8192, 0) = 8192",
                "7 fdatasync(4</p/pool>) = 0",
                answer,
                answer))
        .containsExactly(1);
    assertThat(
            earlyOf(
                plain,
                "8 fdatasync(4</p/pool> <unfinished ...>",
                "7 pwrite64(4</p/pool>, \"\"..., 8192, 0) = 8192",
                "8 <... fdatasync resumed>) = 0",
                answer))
        .containsExactly(0);
  }

  private static List<Integer> earlyOf(String... lines) {
    return SyncTrace.judge(List.of(lines)).early();
  }

  /// Runs the writing process under strace.
  private SyncTrace.Verdict trace(String mode) throws Exception {
    Path trace = folder.resolve(mode + ".trace");
    Path output = folder.resolve(mode + ".out");
    Process process =
        new ProcessBuilder(
                "strace",
                "-f",
                "-y",
                "-s",
                "0",
                "-o",
                trace.toString(),
                "-e",
                "trace=openat,pwrite64,pwritev,pwritev2,write,fsync,fdatasync",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.resolve(mode).toString(),
                mode)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the writing process ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    SyncTrace.Verdict verdict = SyncTrace.judge(Files.readAllLines(trace));
    // The first note stands before the first batch.
    return new SyncTrace.Verdict(
        verdict.acknowledged(), verdict.early().stream().filter(batch -> batch > 0).toList());
  }

  private static boolean straceWorks() throws InterruptedException {
    try {
      Process probe = new ProcessBuilder("strace", "-o", "/dev/null", "true").start();
      return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// The traced process: writes one block at a time and notes each acknowledgement.
  static final class Writer {

    private static final int BLOCKS = 2048;

    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      Path pool = Path.of(arguments[0]);
      PoolDirectory.create(
          pool, 64L << 20, new PoolFormat(VolumeId.random().value(), 1 << 20, Instant.now()));
      try (StorageEngine engine = open(pool, arguments[1]);
          FileChannel notes =
              FileChannel.open(
                  pool.resolve("acknowledged"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE)) {
        VolumeId id = VolumeId.random();
        engine.create(OperationId.random(), VolumeSpec.thin(id, BLOCKS * 4096L));
        Volume volume = engine.open(id);
        ByteBuffer note = ByteBuffer.allocateDirect(1);
        notes.write(note.duplicate());
        for (int i = 0; i < WRITES; i++) {
          long offset = 4096L * (i % BLOCKS);
          ByteBuffer block = ByteBuffer.allocateDirect(4096).putInt(0, i + 1);
          Await.io(done -> volume.write(offset, block, done));
          notes.write(note.duplicate());
        }
      }
    }

    private static StorageEngine open(Path pool, String mode) {
      if (mode.equals("synced")) {
        return PoolDirectory.open(pool, EngineOptions.defaults());
      }
      return RedirectOnWriteEngine.open(
          new UnsyncedDevice(FileBlockDevice.open(pool.resolve("pool"))),
          EngineOptions.defaults(),
          InstantSource.system());
    }
  }
}
