package io.coppice.engine.superblock;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.device.Medium;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.files.OwnerOnly;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of a pool's second copy, before it is one.
///
/// @param first file of the first copy
/// @param thin whether a new file is sparse; else all of it is allocated
public record MirrorFile(Path first, Path second, boolean thin) {

  /// Whether the content was meant to be a pool.
  public static boolean holdsPool(Path file) {
    try (ReadOnlyFile device = ReadOnlyFile.openInUse(file)) {
      return device.sizeInBytes() >= PoolLayout.SUPERBLOCK_AREA
          && !SuperblockArea.read(device).empty();
    }
  }

  /// If one of both is an empty file, gives it the size of the other one's pool. Makes the second
  /// if the pool was kept on one device until now. A file with content is left as it is.
  ///
  /// @throws StorageException.PoolUnusable if both are the same
  public void prepare() throws IOException {
    if (!Files.exists(first)) {
      return;
    }
    if (Files.exists(second) && Files.isSameFile(first, second)) {
      throw new StorageException.PoolUnusable(
          "Expected a second device beside %s, found the same one.".formatted(first));
    }
    if (isEmptyFile(second) || (!Files.exists(second) && !hasMirror(first))) {
      size(second, Files.size(first));
    } else if (isEmptyFile(first) && Files.exists(second)) {
      try (ReadOnlyFile device = ReadOnlyFile.openInUse(second)) {
        size(first, device.sizeInBytes());
      }
    }
  }

  private static boolean isEmptyFile(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.size(file) == 0;
  }

  private static boolean hasMirror(Path file) {
    try (ReadOnlyFile device = ReadOnlyFile.openInUse(file)) {
      Superblock newest = SuperblockArea.read(device).newest();
      return newest == null || newest.features().hasMirror();
    }
  }

  // A crash leaves an empty file or one of this length; one that is not allocated yet in full is
  // allocated zone by zone, as it is used.
  private void size(Path file, long bytes) throws IOException {
    boolean wasThere = Files.exists(file);
    long free = NewPool.store(file).getUsableSpace();
    if (!thin && bytes > free) {
      throw new StorageException.PoolUnusable(
          "Expected space for the %d bytes of %s, found %d bytes free."
              .formatted(bytes, file, free));
    }
    OwnerOnly.createFile(file);
    try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
      sized.setLength(bytes);
      sized.getFD().sync();
    }
    try (FileBlockDevice device = FileBlockDevice.open(file)) {
      Medium medium = device.medium();
      if (medium != null && !thin) {
        medium.allocate(0, bytes);
        device.sync();
      }
    } catch (DeviceException e) {
      empty(file, wasThere);
      throw e;
    }
  }

  private static void empty(Path file, boolean wasThere) throws IOException {
    if (wasThere) {
      Files.write(file, new byte[0]);
    } else {
      Files.deleteIfExists(file);
    }
  }
}
