package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The calls of the two devices of a mirror, at the same time. With a deadline its own threads make
/// the calls, so that no caller waits for a device that hangs. Such a call may end later, or never.
/// It reads or writes memory of its own ([#lend]) that nothing else has until then. Safe for any
/// thread.
public final class DeviceCalls implements AutoCloseable {

  /// Seconds that a thread waits for another call; there is one thread for each call under way.
  private static final int IDLE_SECONDS = 1;

  /// Buffers that are kept for the next call.
  private static final int MOST_SPARE = 8;

  private static final int LEAST_BYTES = 64 << 10;

  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().name("coppice-mirror-", 0).daemon().factory());
  private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>(); // guarded by itself
  private final AtomicInteger hanging = new AtomicInteger();
  private volatile long deadlineNanos; // 0: none

  public interface Work {
    void on(BlockDevice device);
  }

  /// The error that a device has not answered in time.
  public static final class NoAnswer extends DeviceException {
    private static final long serialVersionUID = 1L;

    NoAnswer(Duration deadline) {
      super("expected an answer within %d s, found none".formatted(deadline.toSeconds()));
    }
  }

  /// The failure of each device; null if it has not failed.
  public record Ends(@Nullable DeviceException first, @Nullable DeviceException second) {}

  /// Memory that a call may use for as long as it takes.
  public final class Lent {
    private final ByteBuffer bytes;
    private final int length;
    private final AtomicInteger users;

    private Lent(int length, int users) {
      this.length = length;
      this.users = new AtomicInteger(users);
      bytes = take(length);
    }

    /// Uses the memory once, from 0 on.
    public void use(Consumer<ByteBuffer> user) {
      try {
        user.accept(bytes.slice(0, length));
      } finally {
        if (users.decrementAndGet() == 0) {
          giveBack(bytes);
        }
      }
    }
  }

  /// Sets the longest wait for a call from now on.
  public void answerWithin(Duration deadline) {
    deadlineNanos = deadline.toNanos();
  }

  public boolean areTimed() {
    return deadlineNanos > 0;
  }

  // ---- calls

  /// Makes both calls at the same time.
  ///
  /// @param first and `second`: null for a device that does not exist
  public Ends both(
      Work onFirst, @Nullable BlockDevice first, Work onSecond, @Nullable BlockDevice second) {
    if (first == null || second == null) {
      return new Ends(here(onFirst, first), here(onSecond, second));
    }
    CompletableFuture<@Nullable DeviceException> other = begin(onSecond, second);
    if (!areTimed()) {
      DeviceException one = here(onFirst, first);
      return new Ends(one, end(other, 0));
    }
    CompletableFuture<@Nullable DeviceException> one = begin(onFirst, first);
    long until = System.nanoTime() + deadlineNanos;
    return new Ends(end(one, until), end(other, until));
  }

  /// @return why it has failed; null if it has not
  @Nullable
  public DeviceException timed(Work work, BlockDevice device) {
    return end(begin(work, device), System.nanoTime() + deadlineNanos);
  }

  /// Makes the call in this thread, however long it takes.
  public static @Nullable DeviceException here(Work work, @Nullable BlockDevice device) {
    if (device == null) {
      return null;
    }
    try {
      work.on(device);
      return null;
    } catch (DeviceException e) {
      return e;
    }
  }

  private CompletableFuture<@Nullable DeviceException> begin(Work work, BlockDevice device) {
    return CompletableFuture.supplyAsync(() -> here(work, device), threads);
  }

  private @Nullable DeviceException end(
      CompletableFuture<@Nullable DeviceException> call, long until) {
    if (!areTimed()) {
      return call.join();
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return call.join(); // throws it
        } catch (TimeoutException e) {
          hanging.incrementAndGet();
          var _ = call.whenComplete((_, _) -> hanging.decrementAndGet());
          return new NoAnswer(Duration.ofNanos(deadlineNanos));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // ---- memory

  /// Memory of this many bytes, which each of the users uses once.
  public Lent lend(int length, int users) {
    return new Lent(length, users);
  }

  /// A copy of these bytes, which are consumed.
  public Lent copy(List<ByteBuffer> from, int users) {
    long length = 0;
    for (ByteBuffer buffer : from) {
      length += buffer.remaining();
    }
    Lent lent = new Lent(Math.toIntExact(length), users);
    int at = 0;
    for (ByteBuffer buffer : from) {
      int count = buffer.remaining();
      lent.bytes.put(at, buffer, buffer.position(), count);
      buffer.position(buffer.limit());
      at += count;
    }
    return lent;
  }

  private ByteBuffer take(int length) {
    synchronized (spare) {
      for (int i = spare.size(); i > 0; i--) {
        ByteBuffer next = spare.removeFirst();
        if (next.capacity() >= length) {
          return next;
        }
        spare.addLast(next);
      }
    }
    int size = Math.max(LEAST_BYTES, Integer.highestOneBit(Math.max(1, length - 1)) << 1);
    return AlignedBuffers.allocate(size);
  }

  private void giveBack(ByteBuffer bytes) {
    synchronized (spare) {
      if (spare.size() == MOST_SPARE) {
        spare.removeFirst();
      }
      spare.addLast(bytes);
    }
  }

  /// Waits for the calls under way, unless a device hangs: its threads are left with it.
  @Override
  public void close() {
    if (hanging.get() == 0) {
      threads.close();
    } else {
      threads.shutdown();
    }
  }

  /// Closes all devices.
  ///
  /// @throws DeviceException if one could not be closed; the others are
  public static void closeAll(List<BlockDevice> devices) {
    DeviceException unclosed = null;
    for (BlockDevice device : devices) {
      try {
        device.close();
      } catch (DeviceException e) {
        unclosed = e;
      }
    }
    if (unclosed != null) {
      throw unclosed;
    }
  }
}
