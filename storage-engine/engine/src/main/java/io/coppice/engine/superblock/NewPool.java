package io.coppice.engine.superblock;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A pool that is to be made in a directory.
///
/// | Component | Meaning |
/// |---|---|
/// | `capacityInBytes` | its size, superblocks included; 0: half of what the file system has free, at most 64 GiB |
/// | `thin` | whether its file is sparse; else all of it is allocated |
/// | `mirror` | file or block device of its second copy, which the first open makes; null: there is none |
/// | `format` | what is decided for good |
public record NewPool(
    long capacityInBytes, boolean thin, @Nullable Path mirror, PoolFormat format) {

  /// Most bytes of a pool whose size was not given.
  static final long MOST = 64L << 30;

  /// A size, and the reason for it, for people.
  public record Size(long bytes, String why) {}

  /// Chooses the size, or checks whether the requested one fits. Writes nothing.
  ///
  /// @throws StorageException.PoolUnusable if it does not fit, or is too small for a pool
  public Size size(Path directory) throws IOException {
    long free = free(directory);
    long least = PoolLayout.zoneOffset(PoolLayout.MIN_ZONES, format.zoneSizeInBytes());
    if (capacityInBytes == 0) {
      long half = Math.min(free / 2, MOST) - PoolLayout.SUPERBLOCK_AREA;
      long zones = Math.max(0, half / format.zoneSizeInBytes());
      long bytes = PoolLayout.SUPERBLOCK_AREA + zones * format.zoneSizeInBytes();
      requireLeast(directory, bytes, least);
      return new Size(bytes, "half of what the file system has free, at most 64 GiB");
    }
    requireLeast(directory, capacityInBytes, least);
    if (!thin && capacityInBytes > free) {
      throw new StorageException.PoolUnusable(
          "Expected space for the %d bytes asked for pool %s, found %d bytes free%s."
              .formatted(capacityInBytes, directory, free, besideMirror(directory)));
    }
    return new Size(capacityInBytes, "as asked");
  }

  private static void requireLeast(Path directory, long bytes, long least) {
    if (bytes < least) {
      throw new StorageException.PoolUnusable(
          "Expected a capacity of at least %d bytes for pool %s, got %d."
              .formatted(least, directory, bytes));
    }
  }

  private String besideMirror(Path directory) throws IOException {
    return isMirrorBeside(directory) ? " for each of its two files" : "";
  }

  /// Bytes free for each of its files.
  private long free(Path directory) throws IOException {
    long free = store(directory).getUsableSpace();
    Path second = mirror;
    if (second == null) {
      return free;
    }
    if (Files.exists(second) && !Files.isRegularFile(second)) {
      try (FileChannel device = FileChannel.open(second, StandardOpenOption.READ)) {
        return Math.min(free, device.size());
      }
    }
    return isMirrorBeside(directory) ? free / 2 : Math.min(free, store(second).getUsableSpace());
  }

  private boolean isMirrorBeside(Path directory) throws IOException {
    Path second = mirror;
    return second != null
        && (!Files.exists(second) || Files.isRegularFile(second))
        && store(directory).equals(store(second));
  }

  /// The file store of the nearest folder that exists.
  static FileStore store(Path path) throws IOException {
    Path there = path.toAbsolutePath().normalize();
    while (!Files.exists(there)) {
      Path parent = there.getParent();
      if (parent == null) {
        break;
      }
      there = parent;
    }
    return Files.getFileStore(there);
  }
}
