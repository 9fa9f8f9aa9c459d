package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file that is only read. With [#open] no process may write it meanwhile: a writer locks another
/// file, and this holds a shared lock on that one.
public final class ReadOnlyFile implements BlockDevice {

  private final Path path;
  private final FileChannel io;
  private final @Nullable LockFile lock;
  private final long size;

  private ReadOnlyFile(Path path, FileChannel io, @Nullable LockFile lock) throws IOException {
    this.path = path;
    this.io = io;
    this.lock = lock;
    size = io.size() / BLOCK_SIZE * BLOCK_SIZE;
  }

  /// As below, with the lock of a file that holds a pool.
  public static ReadOnlyFile open(Path pool) {
    try {
      return open(pool, LockFile.of(pool));
    } catch (IOException e) {
      throw new DeviceException("cannot open %s: %s".formatted(pool, e), e);
    }
  }

  /// @param lockFile need not exist: then nothing has locked it
  /// @throws DeviceException if the file cannot be read, or is in use
  public static ReadOnlyFile open(Path path, Path lockFile) {
    try {
      LockFile lock = lock(path, lockFile);
      try {
        return new ReadOnlyFile(path, FileChannel.open(path, StandardOpenOption.READ), lock);
      } catch (IOException | RuntimeException e) {
        close(lock);
        throw e;
      }
    } catch (IOException e) {
      throw new DeviceException("cannot open %s: %s".formatted(path, e), e);
    }
  }

  /// Opens without a lock: others may write meanwhile, so that a structure may be torn.
  ///
  /// @throws DeviceException if the file cannot be read
  public static ReadOnlyFile openInUse(Path path) {
    try {
      return new ReadOnlyFile(path, FileChannel.open(path, StandardOpenOption.READ), null);
    } catch (IOException e) {
      throw new DeviceException("cannot open %s: %s".formatted(path, e), e);
    }
  }

  private static @Nullable LockFile lock(Path path, Path lockFile) throws IOException {
    if (!Files.exists(lockFile)) {
      return null;
    }
    LockFile lock;
    try {
      lock = LockFile.shared(lockFile);
    } catch (NoSuchFileException e) {
      return null;
    }
    if (lock == null) {
      throw new DeviceException("expected %s to be closed, found it in use".formatted(path));
    }
    return lock;
  }

  private static void close(@Nullable LockFile lock) {
    if (lock != null) {
      lock.close();
    }
  }

  @Override
  public long sizeInBytes() {
    return size;
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    long at = offset;
    try {
      while (into.hasRemaining()) {
        int n = io.read(into, at);
        if (n <= 0) {
          throw new DeviceException(
              "cannot read %s at %d: expected %d more bytes, found its end"
                  .formatted(path, at, into.remaining()));
        }
        at += n;
      }
    } catch (IOException e) {
      throw new DeviceException("cannot read %s at %d: %s".formatted(path, at, e), e);
    }
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    throw readOnly();
  }

  @Override
  public void sync() {
    throw readOnly();
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    throw readOnly();
  }

  private DeviceException readOnly() {
    return new DeviceException("cannot write %s: it is open for reading only".formatted(path));
  }

  @Override
  public void close() {
    try {
      io.close();
      close(lock);
    } catch (IOException e) {
      throw new DeviceException("cannot close %s: %s".formatted(path, e), e);
    }
  }
}
