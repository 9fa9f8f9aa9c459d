package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// A file that cannot be read and written past the page cache is used only where that is asked for.
class FileBlockDeviceTest {

  /// It takes writes, and no direct I/O.
  private static final Path CACHED = Path.of("/dev/null");

  @Test
  void aFileWithoutDirectIoIsRefusedUnlessItIsAskedFor() {
    assumeTrue(Files.isWritable(CACHED) && LinuxFile.isSupported(), "needs " + CACHED);

    assertThat(FileBlockDevice.bypassesCache(CACHED)).isFalse();
    DeviceSettings settings = DeviceSettings.defaults().withReads(DeviceIo.PREAD);
    assertThatThrownBy(() -> FileBlockDevice.open(CACHED, settings))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("past the page cache (O_DIRECT)")
        .hasMessageContaining("coppice.pool.buffered-io=true");
    try (FileBlockDevice device = FileBlockDevice.open(CACHED, settings.withBuffered(true))) {
      assertThat(device.isDirect()).isFalse();
    }
  }
}
