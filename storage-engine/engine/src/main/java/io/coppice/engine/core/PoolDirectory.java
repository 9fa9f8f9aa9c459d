package io.coppice.engine.core;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.FailStopDevice;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.LockFile;
import io.coppice.engine.device.Medium;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.files.OwnerOnly;
import io.coppice.engine.state.CrossThreadFailures;
import io.coppice.engine.superblock.MirrorFile;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.thread.Uninterrupted;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A pool in a directory: the file `pool` with the data, and `lock`, locked while the pool is open.
/// The lock goes with the process: a stale file never blocks a start. Only the owner may read them.
public final class PoolDirectory {

  private static final String POOL = "pool";
  private static final String UNFINISHED = "pool.new";
  private static final String LOCK = "lock";

  private PoolDirectory() {}

  /// Whether there is a file that [#open] would take for a pool.
  public static boolean holdsPool(Path directory) {
    return Files.exists(directory.resolve(POOL));
  }

  /// As above, for a pool on two devices that may have lost the one in the directory.
  public static boolean holdsPool(Path directory, EngineOptions options) {
    Path mirror = options.devices().mirror();
    return holdsPool(directory)
        || (mirror != null && Files.exists(mirror) && MirrorFile.holdsPool(mirror));
  }

  /// As above, for a pool in a sparse file.
  public static void create(Path directory, long capacityInBytes, PoolFormat format) {
    create(directory, new NewPool(capacityInBytes, true, null, format));
  }

  /// Makes a pool. A crash leaves the whole pool or none. A pool that does not fit is refused
  /// before anything is written.
  ///
  /// @return its size and the reason for it, as a sentence for people
  /// @throws StorageException.PoolUnusable if there is a pool already, or the directory cannot be
  ///   written, or the capacity is too small or does not fit
  public static String create(Path directory, NewPool asked) {
    return onOwnThread(
        () -> {
          try {
            NewPool.Size size = asked.size(directory);
            try (LockFile _ = lock(directory, true)) {
              make(directory.resolve(POOL), size.bytes(), asked);
            }
            return "%d bytes, %s; the file is %s"
                .formatted(size.bytes(), size.why(), asked.thin() ? "thin" : "allocated whole");
          } catch (DeviceException | IOException e) {
            throw unusable("Pool %s cannot be made: %s.".formatted(directory, reason(e)), e);
          }
        });
  }

  // Formatted under another name and renamed when it is stable. So a file called `pool` is always a
  // whole pool, and is never written over, whatever its content. A crash before the rename leaves
  // the other name, which the next call begins anew.
  private static void make(Path file, long capacity, NewPool asked) throws IOException {
    if (Files.exists(file)) {
      throw new StorageException.PoolUnusable(
          "Expected no pool in %s, found one.".formatted(file.getParent()));
    }
    Path unfinished = file.resolveSibling(UNFINISHED);
    Files.deleteIfExists(unfinished);
    long size = capacity / BlockDevice.BLOCK_SIZE * BlockDevice.BLOCK_SIZE;
    OwnerOnly.createFile(unfinished);
    try (RandomAccessFile sized = new RandomAccessFile(unfinished.toFile(), "rw")) {
      sized.setLength(size);
      sized.getFD().sync();
    }
    try (FileBlockDevice device = FileBlockDevice.open(unfinished)) {
      Medium medium = device.medium();
      if (medium != null && !asked.thin()) {
        medium.allocate(0, size);
      }
      RedirectOnWriteEngine.format(device, asked.format().fittedTo(size));
      device.sync();
    } catch (DeviceException e) {
      Files.deleteIfExists(unfinished); // it may have what others on the file system need
      throw e;
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory(file.toAbsolutePath().getParent());
  }

  // So that the file's name is stable too.
  private static void syncDirectory(@Nullable Path directory) throws IOException {
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /// Opens a pool and keeps it locked until the engine is closed; with a second device, if the
  /// options name one. If that does not exist and the pool was kept on one device until now, it is
  /// made as large as the pool; an empty file becomes as large.
  ///
  /// @throws StorageException.PoolUnusable if there is none, it is in use, of another format, or
  ///   not writable, or the devices do not belong together
  public static StorageEngine open(Path directory, EngineOptions options) {
    return onOwnThread(
        () -> {
          if (!holdsPool(directory, options)) {
            throw new StorageException.PoolUnusable(
                "Expected a pool in %s, found none.".formatted(directory));
          }
          try (Held held = new Held(lock(directory, false))) {
            Path file = directory.resolve(POOL);
            Path mirror = options.devices().mirror();
            if (mirror != null) {
              new MirrorFile(file, mirror, options.devices().provisioning().thin()).prepare();
            }
            BlockDevice first = held.open(file, options);
            if (mirror != null && Files.isRegularFile(mirror)) {
              held.add(lockOf(mirror));
            }
            BlockDevice second = mirror == null ? null : held.open(mirror, options);
            StorageEngine engine =
                RedirectOnWriteEngine.open(first, second, options, InstantSource.system());
            held.keep();
            return engine;
          } catch (DeviceException | IOException e) {
            throw unusable("Pool %s cannot be opened: %s.".formatted(directory, reason(e)), e);
          }
        });
  }

  /// The locks and devices that are closed again if the pool is not opened.
  private static final class Held implements AutoCloseable {

    private final List<LockFile> locks = new ArrayList<>();
    private final List<BlockDevice> devices = new ArrayList<>();
    private boolean kept;

    Held(LockFile lock) {
      add(lock);
    }

    /// The lock goes with the next device.
    void add(LockFile lock) {
      locks.add(lock);
    }

    /// The device; absent if there is no such file.
    @Nullable BlockDevice open(Path file, EngineOptions options) {
      if (!Files.exists(file)) {
        return null;
      }
      OwnerOnly.tighten(file);
      FileBlockDevice device = FileBlockDevice.open(file, options.devices().settings());
      devices.add(new LockedDevice(new FailStopDevice(device), List.copyOf(locks)));
      locks.clear();
      return devices.getLast();
    }

    void keep() {
      kept = true;
    }

    @Override
    public void close() {
      if (!kept) {
        locks.forEach(LockFile::close);
        devices.forEach(BlockDevice::close);
      }
    }
  }

  /// The lock of a second file; a block device guards itself ([FileBlockDevice]).
  private static LockFile lockOf(Path mirror) throws IOException {
    LockFile lock = LockFile.exclusive(LockFile.of(mirror));
    if (lock == null) {
      throw new StorageException.PoolUnusable(
          "Second device %s is in use by another process or engine.".formatted(mirror));
    }
    return lock;
  }

  private static LockFile lock(Path directory, boolean create) {
    try {
      if (create) {
        OwnerOnly.createDirectories(directory);
      }
      LockFile lock = LockFile.exclusive(directory.resolve(LOCK));
      if (lock == null) {
        throw new StorageException.PoolUnusable(
            "Pool %s is in use by another process or engine.".formatted(directory));
      }
      return lock;
    } catch (IOException e) {
      throw unusable(
          "Expected a directory that can be written, found %s: %s.".formatted(directory, reason(e)),
          e);
    }
  }

  private static StorageException.PoolUnusable unusable(String sentence, Exception cause) {
    return new StorageException.PoolUnusable(sentence, cause);
  }

  private static String reason(Exception e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  /// Runs device work on a thread that nobody interrupts: an interrupt would close the file.
  private static <T> T onOwnThread(Supplier<T> work) {
    AtomicReference<@Nullable T> result = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("coppice-pool")
            .start(
                () -> {
                  try {
                    result.set(work.get());
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    Uninterrupted.join(thread);
    switch (failure.get()) {
      case StorageException known -> throw CrossThreadFailures.here(known);
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      case null, default -> {}
    }
    T value = result.get();
    if (value == null) {
      throw new IllegalStateException("the pool thread ended without a result");
    }
    return value;
  }

  /// A device with the locks that guard it.
  private static final class LockedDevice extends ForwardingDevice {

    private final List<LockFile> locks;

    LockedDevice(BlockDevice device, List<LockFile> locks) {
      super(device);
      this.locks = locks;
    }

    @Override
    public @Nullable ReadQueue readQueue() {
      return device.readQueue();
    }

    @Override
    public void close() {
      device.close();
      locks.forEach(LockFile::close);
    }
  }
}
