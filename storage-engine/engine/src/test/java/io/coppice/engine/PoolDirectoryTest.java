package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.engine.check.CheckCommand;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.device.Medium;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.supply.Provisioning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

  private static NewPool asked(long capacity, boolean thin, @Nullable Path mirror) {
    return new NewPool(capacity, thin, mirror, FORMAT);
  }

  private static AllocationState backing(Path file) {
    try (FileBlockDevice device = FileBlockDevice.open(file)) {
      Medium medium = device.medium();
      return medium == null ? AllocationState.UNKNOWN : medium.backing(0, device.sizeInBytes());
    }
  }

  @Test
  void whatDoesNotFitIsRefusedWithBothFiguresAndNothingIsWritten() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    Path pool = folder.resolve("new");

    assertThatThrownBy(() -> PoolDirectory.create(pool, asked(1L << 50, false, null)))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("%d bytes asked", 1L << 50)
        .hasMessageContaining("bytes free");
    assertThatThrownBy(
            () -> PoolDirectory.create(pool, asked(free / 4 * 3, false, folder.resolve("second"))))
        .as("two files on one file system")
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("each of its two files");

    assertThat(pool).doesNotExist();
  }

  @Test
  void aPoolIsAllocatedWholeUnlessItIsThin() throws IOException {
    Path thick = folder.resolve("thick");
    Path thin = folder.resolve("thin");
    Path second = folder.resolve("second");
    EngineOptions whole =
        EngineOptions.defaults().withProvisioning(new Provisioning(false, 0, 20, false));

    assertThat(PoolDirectory.create(thick, asked(CAPACITY, false, second)))
        .isEqualTo("8388608 bytes, as asked; the file is allocated whole");
    PoolDirectory.create(thin, asked(CAPACITY, true, null));
    PoolDirectory.open(thick, whole.withMirror(second)).close();

    assumeTrue(
        backing(thin.resolve("pool")) != AllocationState.UNKNOWN, "the file system does not say");
    assertThat(backing(thin.resolve("pool"))).isEqualTo(AllocationState.HOLE);
    assertThat(backing(thick.resolve("pool"))).isEqualTo(AllocationState.ALLOCATED);
    assertThat(backing(second)).isEqualTo(AllocationState.ALLOCATED);
  }

  @Test
  void aPoolOfNoNamedSizeTakesHalfOfWhatIsFree() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();

    String said = PoolDirectory.create(folder, asked(0, true, null));

    long size = Files.size(folder.resolve("pool"));
    assertThat(said).startsWith(size + " bytes, half of what the file system has free");
    assertThat(size).isBetween(CAPACITY, Math.min(free * 3 / 4, 64L << 30));
    assertThat((size - (512 << 10)) % FORMAT.zoneSizeInBytes()).isZero();
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
