package io.coppice.engine.device;

import static io.coppice.engine.device.LinuxCalls.address;
import static io.coppice.engine.device.LinuxCalls.call;
import static io.coppice.engine.device.LinuxCalls.failed;
import static io.coppice.engine.device.LinuxCalls.thrown;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// A file by the system calls of Linux. Unlike a `FileChannel` it is not closed when a thread in it
/// is interrupted, so any thread may use it. It allocates nothing, and writes several buffers in
/// one call.
///
/// A descriptor is a number, and the next file that is opened gets it. So it is given up only when
/// the last call has left, and a later call is refused.
final class LinuxFile implements RawFile {

  private static final int O_RDWR = 2;
  private static final int O_EXCL = 0x80;
  private static final int O_DSYNC = 0x1000;
  private static final int S_IFMT = 0xf000;
  private static final int S_IFBLK = 0x6000;
  private static final int O_CLOEXEC = 0x8_0000;

  private static final MethodHandle OPEN =
      call(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final FunctionDescriptor TRANSFER =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle PREAD = call("pread", TRANSFER);
  private static final MethodHandle PWRITE = call("pwrite", TRANSFER);
  private static final MethodHandle PWRITEV =
      call("pwritev", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle FDATASYNC =
      call("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final VarHandle CALLS;

  /// Added to the calls under way once the file is closed.
  private static final int CLOSED = Integer.MIN_VALUE;

  static {
    try {
      CALLS = MethodHandles.lookup().findVarHandle(LinuxFile.class, "calls", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int descriptor;

  @SuppressWarnings("unused") // through CALLS
  private volatile int calls;

  private LinuxFile(int descriptor) {
    this.descriptor = descriptor;
  }

  /// Whether this system is one whose flags are known here.
  static boolean isSupported() {
    return System.getProperty("os.name").equals("Linux") && directFlag() != 0;
  }

  private static int directFlag() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> 0x4000;
      case "aarch64" -> 0x1_0000;
      default -> 0;
    };
  }

  /// Opens an existing file for reading and writing.
  ///
  /// @param direct past the page cache
  /// @param stable each write returns when it is stable
  static LinuxFile open(Path path, boolean direct, boolean stable) throws IOException {
    return open(path, direct, stable, false);
  }

  /// As above.
  ///
  /// @param claim whether a block special file is claimed until this is closed, and refused if it
  ///   is mounted or claimed already; no effect on other files
  static LinuxFile open(Path path, boolean direct, boolean stable, boolean claim)
      throws IOException {
    int flags =
        O_RDWR
            | O_CLOEXEC
            | (direct ? directFlag() : 0)
            | (stable ? O_DSYNC : 0)
            | (claim && isBlockSpecial(path) ? O_EXCL : 0);
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int opened = (int) OPEN.invokeExact(scratch.state, name, flags);
      if (opened < 0) {
        throw failed(scratch);
      }
      return new LinuxFile(opened);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  // Without O_CREAT the flag only affects these.
  private static boolean isBlockSpecial(Path path) throws IOException {
    return Files.exists(path) && ((int) Files.getAttribute(path, "unix:mode") & S_IFMT) == S_IFBLK;
  }

  private void enter() throws IOException {
    int before;
    do {
      before = (int) CALLS.getVolatile(this);
      if (before < 0) {
        throw new ClosedChannelException();
      }
    } while (!CALLS.compareAndSet(this, before, before + 1));
  }

  private void leave() {
    if ((int) CALLS.getAndAdd(this, -1) == CLOSED + 1) {
      try {
        giveUpDescriptor();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    long address = address(into);
    enter();
    try {
      while (true) {
        long n =
            (long)
                PREAD.invokeExact(scratch.state, descriptor, address, (long) into.remaining(), at);
        if (n >= 0) {
          into.position(into.position() + (int) n);
          return (int) n;
        }
        retryOrThrow(scratch);
      }
    } catch (Throwable e) {
      throw thrown(e);
    } finally {
      leave();
      Reference.reachabilityFence(into);
    }
  }

  @Override
  public long write(List<ByteBuffer> from, long at) throws IOException {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    enter();
    try {
      while (true) {
        long n = from.size() == 1 ? write(scratch, from.get(0), at) : gather(scratch, from, at);
        if (n >= 0) {
          advance(from, n);
          return n;
        }
        retryOrThrow(scratch);
      }
    } catch (Throwable e) {
      throw thrown(e);
    } finally {
      leave();
      Reference.reachabilityFence(from);
    }
  }

  private long write(LinuxCalls.Scratch scratch, ByteBuffer from, long at) throws Throwable {
    long address = address(from);
    return (long)
        PWRITE.invokeExact(scratch.state, descriptor, address, (long) from.remaining(), at);
  }

  private long gather(LinuxCalls.Scratch scratch, List<ByteBuffer> from, long at) throws Throwable {
    int used = 0;
    for (int i = 0; i < from.size() && used < LinuxCalls.MAX_VECTORS; i++) {
      ByteBuffer buffer = from.get(i);
      if (buffer.hasRemaining()) {
        scratch.vectors.setAtIndex(JAVA_LONG, 2L * used, address(buffer));
        scratch.vectors.setAtIndex(JAVA_LONG, 2L * used + 1, buffer.remaining());
        used++;
      }
    }
    return (long)
        PWRITEV.invokeExact(scratch.state, descriptor, scratch.vectors.address(), used, at);
  }

  private static void advance(List<ByteBuffer> from, long written) {
    long left = written;
    for (int i = 0; left > 0; i++) {
      ByteBuffer buffer = from.get(i);
      int n = (int) Math.min(left, buffer.remaining());
      buffer.position(buffer.position() + n);
      left -= n;
    }
  }

  @Override
  public void force() throws IOException {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    enter();
    try {
      if ((int) FDATASYNC.invokeExact(scratch.state, descriptor) != 0) {
        throw failed(scratch); // also when it was interrupted: a sync is not repeated
      }
    } catch (Throwable e) {
      throw thrown(e);
    } finally {
      leave();
    }
  }

  @Override
  public AllocationState backing(long at, long length) throws IOException {
    enter();
    try {
      return LinuxExtents.backing(descriptor, at, length);
    } catch (Throwable e) {
      throw thrown(e);
    } finally {
      leave();
    }
  }

  @Override
  public boolean allocate(long at, long length) throws IOException {
    enter();
    try {
      return LinuxExtents.allocate(descriptor, at, length);
    } catch (Throwable e) {
      throw thrown(e);
    } finally {
      leave();
    }
  }

  @Override
  public void close() throws IOException {
    int before;
    do {
      before = (int) CALLS.getVolatile(this);
      if (before < 0) {
        return;
      }
    } while (!CALLS.compareAndSet(this, before, before + CLOSED));
    if (before == 0) {
      giveUpDescriptor();
    }
  }

  private void giveUpDescriptor() throws IOException {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    try {
      if ((int) CLOSE.invokeExact(scratch.state, descriptor) != 0) {
        throw failed(scratch);
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private static void retryOrThrow(LinuxCalls.Scratch scratch) throws IOException {
    if (scratch.errno() != LinuxCalls.EINTR) {
      throw failed(scratch);
    }
  }

  @Override
  public ReadQueue readQueue(int reads, LongAdder read) throws IOException {
    enter();
    boolean opened = false;
    try {
      ReadQueue queue = LinuxAio.open(descriptor, reads, read, this::leave);
      opened = true;
      return queue;
    } finally {
      if (!opened) {
        leave();
      }
    }
  }
}
