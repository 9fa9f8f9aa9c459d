package io.coppice.engine.device;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// A file or a block special file. On Linux a block special file is claimed: while it is open here
/// it can be neither mounted nor claimed elsewhere. A file must be locked by others.
///
/// It uses direct I/O if the file system allows it, else the page cache. [#writeStable] is one
/// write with O_DSYNC. On Linux any thread may call; elsewhere only threads that nothing
/// interrupts, see [#toleratesInterrupts].
public final class FileBlockDevice implements BlockDevice {

  /// Most reads of a queue at a time. The block layer takes often 128 or 256 at a time; some are
  /// left for writes.
  private static final int QUEUED = 96;

  /// Bytes of zeros written at a time.
  private static final int ZEROS = 1 << 20;

  private static final Logger LOGGER = System.getLogger(FileBlockDevice.class.getName());

  private final Path path;
  private final RawFile io;
  private final RawFile stable;
  private final boolean direct;
  private final long size;
  private boolean queues;
  private final LongAdder written = new LongAdder();
  private final LongAdder read = new LongAdder();
  private final LongAdder syncs = new LongAdder();

  private FileBlockDevice(Path path, RawFile io, RawFile stable, boolean direct)
      throws IOException {
    this.path = path;
    this.io = io;
    this.stable = stable;
    this.direct = direct;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      size = channel.size() / BLOCK_SIZE * BLOCK_SIZE;
    }
  }

  /// As below, with [DeviceIo#PREAD].
  public static FileBlockDevice open(Path path) {
    return open(path, DeviceIo.PREAD);
  }

  /// Opens an existing file for reading and writing.
  ///
  /// @throws DeviceException if it cannot be opened, or not so, or only through the page cache and
  ///   that is not asked for
  public static FileBlockDevice open(Path path, DeviceSettings settings) {
    FileBlockDevice device = open(path, settings.reads());
    if (!device.direct && !settings.buffered()) {
      device.close();
      throw new DeviceException(
          "expected that %s can be read and written past the page cache (O_DIRECT), found that its file system refuses; coppice.pool.buffered-io=true uses it all the same, but what a failed write left in the cache may then be taken for stable"
              .formatted(path));
    }
    return device;
  }

  /// Whether an existing file can be read past the page cache. Writes nothing.
  ///
  /// @throws DeviceException if it cannot be read at all
  public static boolean bypassesCache(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, directOption())) {
      channel.read(AlignedBuffers.allocate(BLOCK_SIZE), 0);
      return true;
    } catch (IOException | UnsupportedOperationException notDirect) {
      if (!Files.isReadable(path)) {
        throw new DeviceException("cannot read %s".formatted(path), notDirect);
      }
      return false;
    }
  }

  /// As above, through the page cache if there is no other way.
  public static FileBlockDevice open(Path path, DeviceIo how) {
    FileBlockDevice device = openFile(path);
    if (how != DeviceIo.PREAD) {
      try {
        device.tryQueue();
        device.queues = true;
      } catch (IOException e) {
        String reason =
            "Asynchronous I/O cannot be used for %s: %s".formatted(path, e.getMessage());
        if (how == DeviceIo.AIO) {
          device.close();
          throw new DeviceException(reason, e);
        }
        LOGGER.log(Level.INFO, "{0}; each read is a call of its own.", reason);
      }
    }
    return device;
  }

  private static FileBlockDevice openFile(Path path) {
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
    RawFile io = file(path, direct, false);
    try {
      if (direct) {
        probe(io);
      }
      return new FileBlockDevice(path, io, file(path, direct, true), direct);
    } catch (IOException | RuntimeException e) {
      io.close();
      throw e;
    }
  }

  private static RawFile file(Path path, boolean direct, boolean stable) throws IOException {
    if (LinuxFile.isSupported()) {
      return LinuxFile.open(path, direct, stable, !stable);
    }
    List<OpenOption> options =
        new ArrayList<>(List.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    if (direct) {
      options.add(directOption());
    }
    if (stable) {
      options.add(StandardOpenOption.DSYNC);
    }
    return new ChannelFile(FileChannel.open(path, options.toArray(OpenOption[]::new)));
  }

  // By name: the compiler warns of the class that declares it, in a way that cannot be suppressed.
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
  private static void probe(RawFile file) throws IOException {
    file.read(AlignedBuffers.allocate(BLOCK_SIZE), 0);
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
  public boolean toleratesInterrupts() {
    return !(io instanceof ChannelFile);
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

  private void write(RawFile file, long offset, List<ByteBuffer> from) {
    long at = offset;
    long end = offset;
    for (int i = 0; i < from.size(); i++) {
      end += from.get(i).remaining();
    }
    try {
      while (at < end) {
        at += file.write(from, at);
      }
    } catch (IOException e) {
      throw failed("cannot write %s at %d: %s".formatted(path, at, e), e);
    }
    written.add(at - offset);
  }

  private static DeviceException failed(String sentence, IOException cause) {
    return cause instanceof NoSpaceException
        ? new DeviceException.NoSpace(sentence, cause)
        : new DeviceException(sentence, cause);
  }

  /// The medium of a regular file. A block special file is taken to have its place.
  @Override
  public @Nullable Medium medium() {
    return io instanceof LinuxFile && Files.isRegularFile(path) ? new FileMedium() : null;
  }

  private final class FileMedium implements Medium {

    @Override
    public AllocationState backing(long offset, long length) {
      try {
        return io.backing(offset, length);
      } catch (IOException e) {
        return AllocationState.UNKNOWN;
      }
    }

    /// Writes zeros if the file system cannot allocate.
    @Override
    public void allocate(long offset, long length) {
      long free = available();
      if (free < length) { // an attempt would take what little there is, and keep it
        throw new DeviceException.NoSpace(
            "cannot allocate %d bytes for %s: its file system has %d free"
                .formatted(length, path, free));
      }
      try {
        if (!io.allocate(offset, length)) {
          writeZeros(offset, length);
        }
      } catch (IOException e) {
        throw failed("cannot allocate %d bytes for %s: %s".formatted(length, path, e), e);
      }
    }

    private void writeZeros(long offset, long length) {
      ByteBuffer zeros = AlignedBuffers.allocate((int) Math.min(length, ZEROS));
      for (long at = offset; at < offset + length; at += ZEROS) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), offset + length - at));
        write(at, List.of(zeros));
      }
    }

    @Override
    public long available() {
      try {
        return Files.getFileStore(path).getUsableSpace();
      } catch (IOException e) {
        return Long.MAX_VALUE;
      }
    }
  }

  @Override
  public void sync() {
    try {
      io.force();
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
  public @Nullable ReadQueue readQueue() {
    if (!queues) {
      return null;
    }
    try {
      return io.readQueue(QUEUED, read);
    } catch (IOException e) {
      LOGGER.log(
          Level.WARNING,
          "Asynchronous I/O cannot be used for {0} now: {1}; each read is a call of its own.",
          path,
          e.getMessage());
      return null;
    }
  }

  /// Containers may forbid the calls, and not every file system or device takes such reads.
  private void tryQueue() throws IOException {
    if (!direct) {
      throw new IOException("it is not read past the page cache");
    }
    io.readQueue(1, read).close();
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
