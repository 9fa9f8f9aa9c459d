package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// A file or a block special file.
///
/// With direct I/O where the file system allows it, else through the page cache; [#writeStable] is
/// one direct write with O_DSYNC, or a write followed by `force`. Calls must come from threads that
/// nobody interrupts: an interrupt closes a `FileChannel`.
public final class FileBlockDevice implements BlockDevice {

  private final Path path;
  private final FileChannel io;
  private final FileChannel stable;
  private final boolean direct;
  private final long size;
  private final LongAdder written = new LongAdder();
  private final LongAdder read = new LongAdder();
  private final LongAdder syncs = new LongAdder();

  private FileBlockDevice(Path path, FileChannel io, FileChannel stable, boolean direct)
      throws IOException {
    this.path = path;
    this.io = io;
    this.stable = stable;
    this.direct = direct;
    size = io.size() / BLOCK_SIZE * BLOCK_SIZE;
  }

  /// Opens an existing file for reading and writing.
  ///
  /// @throws DeviceException if it cannot be opened
  public static FileBlockDevice open(Path path) {
    try {
      return open(path, true);
    } catch (IOException | UnsupportedOperationException notDirect) {
      try {
        return open(path, false);
      } catch (IOException e) {
        throw new DeviceException("cannot open %s: %s".formatted(path, e), e);
      }
    }
  }

  private static FileBlockDevice open(Path path, boolean direct) throws IOException {
    List<OpenOption> options =
        new ArrayList<>(List.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    if (direct) {
      options.add(directOption());
    }
    FileChannel io = FileChannel.open(path, options.toArray(OpenOption[]::new));
    try {
      if (direct) {
        probe(io);
      }
      options.add(StandardOpenOption.DSYNC);
      FileChannel stable = FileChannel.open(path, options.toArray(OpenOption[]::new));
      return new FileBlockDevice(path, io, stable, direct);
    } catch (IOException | RuntimeException e) {
      io.close();
      throw e;
    }
  }

  // By name: the compiler warns of the class that declares it, in a way that cannot be answered.
  private static OpenOption directOption() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option instanceof OpenOption found && "DIRECT".equals(option.toString())) {
          return found;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException("this Java has no direct I/O", e);
    }
    throw new UnsupportedOperationException("this Java has no direct I/O");
  }

  // Some file systems accept the flag and fail at the first transfer.
  private static void probe(FileChannel channel) throws IOException {
    channel.read(AlignedBuffers.allocate(BLOCK_SIZE), 0);
  }

  /// Whether the page cache is bypassed.
  public boolean isDirect() {
    return direct;
  }

  /// Bytes written since it was opened.
  public long bytesWritten() {
    return written.sum();
  }

  /// Bytes read since it was opened.
  public long bytesRead() {
    return read.sum();
  }

  /// Stable writes and syncs since it was opened.
  public long syncs() {
    return syncs.sum();
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
    read.add(at - offset);
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    write(io, offset, from);
  }

  private void write(FileChannel channel, long offset, List<ByteBuffer> from) {
    long at = offset;
    try {
      for (ByteBuffer buffer : from) {
        while (buffer.hasRemaining()) {
          at += channel.write(buffer, at);
        }
      }
    } catch (IOException e) {
      throw new DeviceException("cannot write %s at %d: %s".formatted(path, at, e), e);
    }
    written.add(at - offset);
  }

  @Override
  public void sync() {
    force(io);
  }

  private void force(FileChannel channel) {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw new DeviceException("cannot sync %s: %s".formatted(path, e), e);
    }
    syncs.increment();
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    write(stable, offset, from);
    syncs.increment();
  }

  @Override
  public void close() {
    try (io;
        stable) {
      // Both are closed, the second one also if the first one fails to.
    } catch (IOException e) {
      throw new DeviceException("cannot close %s: %s".formatted(path, e), e);
    }
  }
}
