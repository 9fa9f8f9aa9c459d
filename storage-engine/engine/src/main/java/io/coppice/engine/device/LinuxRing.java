package io.coppice.engine.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// A ring of `io_uring(7)`: two queues in memory that the kernel shares, and one call that hands
/// over all new reads and waits for the first to end.
///
/// The numbers of the calls are the same on every machine that Linux runs on here.
final class LinuxRing implements Ring {

  private static final long SETUP = 425;
  private static final long ENTER = 426;

  private static final int SINGLE_ISSUER = 1 << 12;
  private static final int DEFER_TASKRUN = 1 << 13;
  private static final int SUBMIT_ALL = 1 << 7;
  private static final int ONE_MAPPING = 1; // features that are needed
  private static final int NO_DROP = 2;
  private static final long GET_EVENTS = 1;
  private static final byte READ = 22;

  private static final long SQES_OFFSET = 0x1000_0000L;
  private static final int SQE = 64;
  private static final int CQE = 16;
  private static final int PARAMETERS = 120;
  private static final long READ_WRITE = 3;
  private static final long SHARED_POPULATED = 0x8001;

  private static final MethodHandle SYSCALL =
      LinuxCalls.call(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
              JAVA_LONG),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle MMAP =
      LinuxCalls.call(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      LinuxCalls.call("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle CLOSE =
      LinuxCalls.call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final int ring;
  private final int file;
  private final Runnable closed;
  private final int capacity;
  private final LinuxCalls.Scratch scratch = LinuxCalls.scratch();
  private MemorySegment queues = MemorySegment.NULL;
  private MemorySegment entries = MemorySegment.NULL;

  // Byte offsets in `queues`.
  private final int submissionHead;
  private final int submissionTail;
  private final int completionHead;
  private final int completionTail;
  private final int completions;
  private final int completionMask;

  private int tail;
  private int begun;

  private LinuxRing(int ring, int file, MemorySegment parameters, Runnable closed) {
    this.ring = ring;
    this.file = file;
    this.closed = closed;
    capacity = parameters.get(JAVA_INT, 0);
    submissionHead = parameters.get(JAVA_INT, 40);
    submissionTail = parameters.get(JAVA_INT, 44);
    completionHead = parameters.get(JAVA_INT, 80);
    completionTail = parameters.get(JAVA_INT, 84);
    completions = parameters.get(JAVA_INT, 100);
    completionMask = parameters.get(JAVA_INT, 4) - 1;
  }

  /// @param reads a power of 2
  /// @param file the descriptor that is read
  /// @param closed run when it is closed; not if this fails
  static LinuxRing open(int reads, int file, Runnable closed) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(PARAMETERS, 8);
      int ring = setUp(reads, parameters, SINGLE_ISSUER | DEFER_TASKRUN | SUBMIT_ALL);
      if (ring < 0 && LinuxCalls.scratch().errno() == LinuxCalls.EINVAL) {
        ring = setUp(reads, parameters.fill((byte) 0), 0); // a kernel before 6.1
      }
      if (ring < 0) {
        throw LinuxCalls.failed(LinuxCalls.scratch());
      }
      LinuxRing opened = new LinuxRing(ring, file, parameters, closed);
      try {
        opened.map(parameters);
        return opened;
      } catch (Throwable e) {
        opened.giveUp();
        throw e;
      }
    } catch (Throwable e) {
      throw LinuxCalls.thrown(e);
    }
  }

  private static int setUp(int reads, MemorySegment parameters, int flags) throws Throwable {
    parameters.set(JAVA_INT, 8, flags);
    return (int)
        (long)
            SYSCALL.invokeExact(
                LinuxCalls.scratch().state,
                SETUP,
                (long) reads,
                parameters.address(),
                0L,
                0L,
                0L,
                0L);
  }

  private void map(MemorySegment parameters) throws Throwable {
    int needed = ONE_MAPPING | NO_DROP;
    if ((parameters.get(JAVA_INT, 20) & needed) != needed) {
      throw new IOException("the kernel is too old");
    }
    int array = parameters.get(JAVA_INT, 64);
    queues =
        map(0, Math.max(array + 4L * capacity, completions + (long) CQE * (completionMask + 1)));
    entries = map(SQES_OFFSET, (long) SQE * capacity);
    for (int i = 0; i < capacity; i++) {
      queues.set(JAVA_INT, array + 4L * i, i); // each place of the queue has its own entry for good
    }
  }

  @SuppressWarnings("restricted") // as long as was mapped
  private MemorySegment map(long offset, long size) throws Throwable {
    long address =
        (long)
            MMAP.invokeExact(
                scratch.state, 0L, size, (int) READ_WRITE, (int) SHARED_POPULATED, ring, offset);
    if (address == -1) {
      throw LinuxCalls.failed(scratch);
    }
    return MemorySegment.ofAddress(address).reinterpret(size);
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public void prepare(int number, long address, int length, long at) {
    long entry = (long) SQE * (tail & capacity - 1);
    entries.asSlice(entry, SQE).fill((byte) 0);
    entries.set(JAVA_BYTE, entry, READ);
    entries.set(JAVA_INT, entry + 4, file);
    entries.set(JAVA_LONG, entry + 8, at);
    entries.set(JAVA_LONG, entry + 16, address);
    entries.set(JAVA_INT, entry + 24, length);
    entries.set(JAVA_LONG, entry + 32, number);
    tail++;
  }

  @Override
  public int enter() throws IOException {
    INT.setRelease(queues, (long) submissionTail, tail);
    try {
      do {
        long n =
            (long)
                SYSCALL.invokeExact(
                    scratch.state,
                    ENTER,
                    (long) ring,
                    (long) (tail - begun),
                    1L,
                    GET_EVENTS,
                    0L,
                    0L);
        if (n < 0) {
          int errno = scratch.errno();
          if (errno != LinuxCalls.EINTR && !(isBusy(errno) && hasEnded())) {
            throw LinuxCalls.failed(scratch);
          }
        } else if (n == 0 && tail != begun) {
          throw new IOException("the kernel took none of %d reads".formatted(tail - begun));
        } else {
          begun += (int) n;
        }
      } while (!hasEnded());
      return tail - begun;
    } catch (Throwable e) {
      throw LinuxCalls.thrown(e);
    }
  }

  private static boolean isBusy(int errno) {
    return errno == LinuxCalls.EAGAIN || errno == LinuxCalls.EBUSY;
  }

  private boolean hasEnded() {
    return (int) INT.getAcquire(queues, (long) completionTail)
        != queues.get(JAVA_INT, completionHead);
  }

  @Override
  public int withdraw() {
    begun = (int) INT.getAcquire(queues, (long) submissionHead);
    int left = tail - begun;
    tail = begun;
    INT.setRelease(queues, (long) submissionTail, tail);
    return left;
  }

  @Override
  public long poll() {
    if (!hasEnded()) {
      return NONE;
    }
    int head = queues.get(JAVA_INT, completionHead);
    long entry = completions + (long) CQE * (head & completionMask);
    long ended =
        queues.get(JAVA_LONG, entry) << 32 | queues.get(JAVA_INT, entry + 8) & 0xFFFF_FFFFL;
    INT.setRelease(queues, (long) completionHead, head + 1);
    return ended;
  }

  @Override
  public void close() {
    try {
      giveUp();
    } catch (IOException e) {
      throw new DeviceException("cannot close a ring: " + e.getMessage(), e);
    } finally {
      closed.run();
    }
  }

  private void giveUp() throws IOException {
    try {
      unmap(entries);
      unmap(queues);
      if ((int) CLOSE.invokeExact(LinuxCalls.scratch().state, ring) != 0) {
        throw LinuxCalls.failed(LinuxCalls.scratch());
      }
    } catch (Throwable e) {
      throw LinuxCalls.thrown(e);
    }
  }

  private static void unmap(MemorySegment mapped) throws Throwable {
    if (mapped.address() != 0
        && (int) MUNMAP.invokeExact(LinuxCalls.scratch().state, mapped.address(), mapped.byteSize())
            != 0) {
      throw LinuxCalls.failed(LinuxCalls.scratch());
    }
  }
}
