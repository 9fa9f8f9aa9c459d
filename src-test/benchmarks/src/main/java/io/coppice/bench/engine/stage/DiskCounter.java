package io.coppice.bench.engine.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The kernel's count of what was written to the disk that a folder lies on, by whomever
/// (`/sys/dev/block/MAJOR:MINOR/stat`).
public final class DiskCounter {

  private static final int SECTORS_WRITTEN = 6;
  private static final int SECTOR = 512;

  private final Path statistics;

  private DiskCounter(Path statistics) {
    this.statistics = statistics;
  }

  public static DiskCounter of(Path folder) throws IOException {
    long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    return new DiskCounter(Path.of("/sys/dev/block", number(device), "stat"));
  }

  /// `MAJOR:MINOR` of what stat(2) gives as the device of a file (makedev(3)).
  public static String number(long device) {
    long major = (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
    long minor = (device & 0xff) | (device >>> 12 & ~0xffL);
    return major + ":" + (minor & 0xffff_ffffL);
  }

  /// Absent if the folder is on no disk of its own.
  public OptionalLong bytesWritten() {
    try {
      return OptionalLong.of(bytesWritten(Files.readString(statistics)));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /// @param line the kernel's counters of one disk
  static long bytesWritten(String line) {
    return Long.parseLong(line.strip().split("\\s+")[SECTORS_WRITTEN]) * SECTOR;
  }
}
