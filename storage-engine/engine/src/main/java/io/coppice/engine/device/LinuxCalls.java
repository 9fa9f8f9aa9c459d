package io.coppice.engine.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The calls of the C library, with the reasons for their failures.
final class LinuxCalls {

  static final int EINTR = 4;
  static final int EAGAIN = 11;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;

  /// Most blocks of memory for one call of `pwritev`.
  static final int MAX_VECTORS = 256;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle STRERROR =
      call("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private LinuxCalls() {}

  /// The memory that a thread needs for a call.
  static final class Scratch {
    private final Arena arena = Arena.ofAuto();
    final MemorySegment state = arena.allocate(STATE);
    final MemorySegment vectors = arena.allocate(16L * MAX_VECTORS, 8);

    int errno() {
      return (int) ERRNO.get(state, 0L);
    }
  }

  static Scratch scratch() {
    return SCRATCH.get();
  }

  /// A function of the C library; called with [Scratch#state] before its own arguments.
  @SuppressWarnings("restricted") // the functions are those of the C library, as declared there
  static MethodHandle call(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
  }

  static long address(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("expected a direct buffer, got one on the heap");
    }
    return MemorySegment.ofBuffer(buffer).address();
  }

  /// The reason why the last call of this thread failed, in the system's words.
  static IOException failed(Scratch scratch) {
    int errno = scratch.errno();
    String text = text(scratch, errno);
    return errno == ENOSPC || errno == EDQUOT ? new NoSpaceException(text) : new IOException(text);
  }

  @SuppressWarnings("restricted") // a text of the C library, which ends with a zero
  private static String text(Scratch scratch, int errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(scratch.state, errno);
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      return "error " + errno;
    }
  }

  /// Translates an exception of a method handle into one that callers expect.
  static IOException thrown(Throwable e) {
    return switch (e) {
      case IOException io -> io;
      case RuntimeException runtime -> throw runtime;
      case Error error -> throw error;
      default -> new IOException(e);
    };
  }
}
