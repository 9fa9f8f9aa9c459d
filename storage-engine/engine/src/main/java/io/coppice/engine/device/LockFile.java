package io.coppice.engine.device;

import io.coppice.engine.files.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A file whose lock, by the operating system, says that something is in use. The lock goes with
/// the process: a stale file never blocks a start.
///
/// Java locks files with `fcntl`. Such a lock belongs to the whole process, and the process loses
/// it as soon as it closes *any* channel to the file. So a table of locked files is asked first: a
/// file that this process has locked is not opened again. Nothing else may open a lock file.
public final class LockFile implements AutoCloseable {

  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path name;
  private final FileChannel channel;

  private LockFile(Path name, FileChannel channel) {
    this.name = name;
    this.channel = channel;
  }

  /// The lock of a file that holds a pool: `lock` beside a file `pool`; beside any other file one
  /// of its name and `.lock`. The same for every link that leads to the file.
  ///
  /// @throws IOException if a link leads nowhere
  public static Path of(Path pool) throws IOException {
    if (pool.endsWith("pool")) {
      return pool.resolveSibling("lock");
    }
    Path real = pool.toRealPath();
    return real.endsWith("pool")
        ? real.resolveSibling("lock")
        : real.resolveSibling(real.getFileName() + ".lock");
  }

  /// Locks a file, which is made if need be, for this holder alone.
  ///
  /// @return null if it is locked already, by this process or another
  /// @throws IOException if it cannot be opened or locked
  public static @Nullable LockFile exclusive(Path file) throws IOException {
    OwnerOnly.createFile(file);
    return take(file, false, StandardOpenOption.WRITE);
  }

  /// Locks a file that exists against [#exclusive]. Other processes may do the same.
  ///
  /// @return null if it is locked already, by this process or by another one exclusively
  /// @throws IOException if it cannot be opened or locked
  public static @Nullable LockFile shared(Path file) throws IOException {
    return take(file, true, StandardOpenOption.READ);
  }

  private static @Nullable LockFile take(Path file, boolean shared, OpenOption... options)
      throws IOException {
    Path name = nameOf(file);
    if (!HELD.add(name)) {
      return null;
    }
    boolean taken = false;
    try {
      FileChannel channel = FileChannel.open(file, options);
      taken = lock(channel, shared);
      return taken ? new LockFile(name, channel) : null;
    } finally {
      if (!taken) {
        HELD.remove(name);
      }
    }
  }

  /// Locks the file, or closes the channel.
  ///
  /// @return whether it is locked
  private static boolean lock(FileChannel channel, boolean shared) throws IOException {
    FileLock lock = null;
    try {
      lock = channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException e) {
      lock = null; // by something in this process that does not know this class
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    return lock != null;
  }

  /// The same name for every path that leads to the file.
  private static Path nameOf(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    return folder == null ? absolute : folder.toRealPath().resolve(absolute.getFileName());
  }

  /// Gives the lock up.
  ///
  /// @throws DeviceException if the file cannot be closed
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new DeviceException("cannot close a lock file: " + e.getMessage(), e);
    } finally {
      HELD.remove(name);
    }
  }
}
