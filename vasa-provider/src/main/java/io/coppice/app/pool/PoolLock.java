package io.coppice.app.pool;

import io.coppice.engine.device.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/// The lock of a pool, held or not, and its holder.
///
/// @param pid of the holder, if it can be seen
public record PoolLock(boolean held, OptionalLong pid) {

  private static final PoolLock FREE = new PoolLock(false, OptionalLong.empty());
  private static final int TYPE = 1;
  private static final int PID = 4;
  private static final int FILE = 5;

  /// Asks the kernel's table of locks, which disturbs no holder.
  ///
  /// @param probe whether to lock the file for a moment if that table names no holder: the table
  ///   does not show processes in other containers
  public static PoolLock of(Path lockFile, boolean probe) {
    if (!Files.exists(lockFile)) {
      return FREE;
    }
    try {
      OptionalLong holder = holder(lockFile);
      if (holder.isPresent()) {
        return new PoolLock(true, holder);
      }
      return probe ? probe(lockFile) : FREE;
    } catch (IOException | UnsupportedOperationException e) {
      return probe(lockFile);
    }
  }

  private static OptionalLong holder(Path lockFile) throws IOException {
    long inode = (Long) Files.getAttribute(lockFile, "unix:ino");
    List<String> table = Files.readAllLines(Path.of("/proc/locks"));
    for (String line : table) {
      String[] fields = line.strip().split("\\s+");
      if (fields.length > FILE
          && fields[TYPE].equals("POSIX")
          && fields[FILE].endsWith(":" + inode)
          && hasOpen(Long.parseLong(fields[PID]), lockFile)) {
        return OptionalLong.of(Long.parseLong(fields[PID]));
      }
    }
    return OptionalLong.empty();
  }

  /// Whether a process has this very file open, if that can be seen. Another file system may have a
  /// file of the same number.
  private static boolean hasOpen(long pid, Path lockFile) {
    Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
    if (!Files.isReadable(descriptors)) {
      return true;
    }
    try (var open = Files.list(descriptors)) {
      return open.anyMatch(
          descriptor -> {
            try {
              return Files.isSameFile(descriptor, lockFile);
            } catch (IOException e) {
              return false;
            }
          });
    } catch (IOException e) {
      return true;
    }
  }

  private static PoolLock probe(Path lockFile) {
    try (LockFile taken = LockFile.shared(lockFile)) {
      return new PoolLock(taken == null, OptionalLong.empty());
    } catch (IOException e) {
      return FREE;
    }
  }
}
