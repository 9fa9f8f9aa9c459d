package io.coppice.engine.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/// The reads by `io_submit(2)` of a file that is read past the page cache. A read that would have
/// to wait before it begins ends at once without its data (`RWF_NOWAIT`).
///
/// Only the end of a read ends a wait. So [#wake] reads the first block of the file, by the last
/// control block.
final class LinuxAio implements ReadQueue {

  private static final int NO_WAIT = 8;
  private static final long CONTROL_BLOCK = 64;
  private static final long EVENT = 32;

  private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long SETUP = IS_ARM ? 0 : 206;
  private static final long DESTROY = IS_ARM ? 1 : 207;
  private static final long SUBMIT = IS_ARM ? 2 : 209;
  private static final long GET_EVENTS = IS_ARM ? 4 : 208;

  private static final MethodHandle SYSCALL =
      LinuxCalls.call(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(1));

  private final int file;
  private final int capacity;
  private final LongAdder read;
  private final Runnable closed;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment controls;
  private final MemorySegment events;
  private final ByteBuffer firstBlock = AlignedBuffers.allocate(BlockDevice.BLOCK_SIZE);
  private final long context;

  private LinuxAio(int file, int capacity, LongAdder read, Runnable closed) throws IOException {
    this.file = file;
    this.capacity = capacity;
    this.read = read;
    this.closed = closed;
    controls = arena.allocate(CONTROL_BLOCK * (capacity + 1), CONTROL_BLOCK);
    events = arena.allocate(EVENT * (capacity + 1), EVENT);
    MemorySegment made = arena.allocate(JAVA_LONG);
    if (call(SETUP, capacity + 1, made.address(), 0, 0) < 0) {
      arena.close();
      throw LinuxCalls.failed(LinuxCalls.scratch());
    }
    context = made.get(JAVA_LONG, 0);
  }

  /// @param file the descriptor that is read
  /// @param read counts bytes
  /// @param closed run when it is closed; not if this fails
  /// @throws IOException if the system lacks the call, does not allow it, or not for this file
  static LinuxAio open(int file, int capacity, LongAdder read, Runnable closed) throws IOException {
    LinuxAio opened = new LinuxAio(file, capacity, read, closed);
    try {
      opened.probe();
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.giveUp();
      throw e;
    }
  }

  /// Reads a block: containers forbid calls, and not every file takes them.
  private void probe() throws IOException {
    wake();
    if (await() != 0) {
      throw new IOException("a read ended that nobody began");
    }
    long result = events.get(JAVA_LONG, 16);
    if (result != BlockDevice.BLOCK_SIZE && result != -LinuxCalls.EAGAIN) {
      throw new IOException("a read came back with " + result);
    }
  }

  private static long call(long number, long a, long b, long c, long d) {
    try {
      return (long) SYSCALL.invokeExact(LinuxCalls.scratch().state, number, a, b, c, d, 0L);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public void prepare(int number, long offset, long address, int length) {
    long at = CONTROL_BLOCK * number;
    controls.set(JAVA_LONG, at, number);
    controls.set(JAVA_INT, at + 12, NO_WAIT);
    controls.set(JAVA_INT, at + 20, file);
    controls.set(JAVA_LONG, at + 24, address);
    controls.set(JAVA_LONG, at + 32, length);
    controls.set(JAVA_LONG, at + 40, offset);
  }

  @Override
  public int begin(int[] numbers, int count) {
    MemorySegment list = LinuxCalls.scratch().vectors;
    for (int i = 0; i < count; i++) {
      list.setAtIndex(JAVA_LONG, i, controls.address() + CONTROL_BLOCK * numbers[i]);
    }
    int begun = 0;
    while (begun < count) {
      long more = call(SUBMIT, context, count - begun, list.address() + 8L * begun, 0);
      if (more <= 0) {
        break;
      }
      begun += (int) more;
    }
    return begun;
  }

  @Override
  public int await() {
    long ended;
    do {
      ended = call(GET_EVENTS, context, 1, capacity + 1, events.address());
    } while (ended < 0 && LinuxCalls.scratch().errno() == LinuxCalls.EINTR);
    if (ended <= 0) {
      throw new DeviceException("the ends of reads cannot be heard of");
    }
    int told = number(0) == capacity ? 0 : (int) ended;
    for (int i = 0; i < told; i++) {
      read.add(Math.max(0, events.get(JAVA_LONG, EVENT * i + 16)));
    }
    return told;
  }

  @Override
  public int number(int index) {
    return (int) events.get(JAVA_LONG, EVENT * index);
  }

  @Override
  public boolean isWhole(int index) {
    long length = controls.get(JAVA_LONG, CONTROL_BLOCK * number(index) + 32);
    return events.get(JAVA_LONG, EVENT * index + 16) == length;
  }

  @Override
  public void wake() {
    prepare(capacity, 0, AlignedBuffers.addressOf(firstBlock, 0), BlockDevice.BLOCK_SIZE);
    if (begin(new int[] {capacity}, 1) == 0) {
      throw new DeviceException("cannot begin a read");
    }
  }

  @Override
  public void close() {
    giveUp();
    closed.run();
  }

  private void giveUp() {
    call(DESTROY, context, 0, 0, 0);
    arena.close();
    Reference.reachabilityFence(firstBlock);
  }
}
