package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.CheckCommand;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolDirectoryTest {

  private static final long CAPACITY = 8 << 20;
  private static final PoolFormat FORMAT = new PoolFormat(new UUID(1, 2), 256 << 10, Instant.EPOCH);

  @TempDir private Path folder;

  @Test
  void aPoolWhoseHeadIsZerosIsNotWrittenOver() throws IOException {
    PoolDirectory.create(folder, CAPACITY, FORMAT);
    Path pool = folder.resolve("pool");
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1 << 20), 0);
    }
    byte[] before = Files.readAllBytes(pool);

    assertThat(PoolDirectory.holdsPool(folder)).isTrue();
    assertThatThrownBy(() -> PoolDirectory.create(folder, 2 * CAPACITY, FORMAT))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("Expected no pool");
    assertThatThrownBy(() -> PoolDirectory.open(folder, EngineOptions.defaults()))
        .isInstanceOf(StorageException.PoolUnusable.class);
    assertThat(Files.readAllBytes(pool)).isEqualTo(before);
  }

  @Test
  void aPoolThatWasCutOffWhileMadeIsMadeAnew() throws IOException {
    Files.write(folder.resolve("pool.new"), new byte[3 << 20]);

    assertThat(PoolDirectory.holdsPool(folder)).isFalse();
    PoolDirectory.create(folder, CAPACITY, FORMAT);

    assertThat(folder.resolve("pool.new")).doesNotExist();
    assertThat(Files.size(folder.resolve("pool"))).isEqualTo(CAPACITY);
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      assertThat(engine.pool().id()).isEqualTo(FORMAT.id());
    }
  }

  @Test
  void aSecondEngineOnTheSamePoolIsRefused() {
    PoolDirectory.create(folder, CAPACITY, FORMAT);
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      assertThat(engine.list()).isEmpty();
      assertThatThrownBy(() -> PoolDirectory.open(folder, EngineOptions.defaults()))
          .isInstanceOf(StorageException.PoolUnusable.class)
          .hasMessageContaining("is in use by another process or engine");
    }
  }

  @Test
  void aRefusedSecondEngineOrCheckLeavesThePoolLockedAgainstOtherProcesses() throws Exception {
    PoolDirectory.create(folder, CAPACITY, FORMAT);
    Path file = folder.resolve("pool");
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      assertThatThrownBy(() -> PoolDirectory.open(folder, EngineOptions.defaults()))
          .isInstanceOf(StorageException.PoolUnusable.class);
      assertThatThrownBy(() -> ReadOnlyFile.open(file, folder.resolve("lock")))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("in use");

      assertThat(checkInAnotherProcess()).isEqualTo(2);
      assertThat(engine.list()).isEmpty();
    }
    assertThat(checkInAnotherProcess()).isZero();
  }

  /// @return the exit code: 2 if the pool is in use
  private int checkInAnotherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CheckCommand.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("check.out").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
