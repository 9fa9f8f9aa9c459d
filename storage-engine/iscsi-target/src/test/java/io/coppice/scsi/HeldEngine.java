package io.coppice.scsi;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// An engine in memory whose writes and copies wait until they are let go, as a slow device's
/// would.
final class HeldEngine {

  private static final Set<String> HELD =
      Set.of("write", "writeHere", "copyFrom", "compareAndWrite");

  private final MemoryEngine memory = new MemoryEngine();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean holding;
  private volatile @Nullable Thread askedForStatus;
  private final List<VolumeId> asked = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch statusGate = new CountDownLatch(0);

  /// The engine.
  StorageEngine engine() {
    return proxy(
        StorageEngine.class,
        (method, arguments, call) ->
            method.equals("open") ? volume(memory.open((VolumeId) arguments[0])) : call.run());
  }

  private Volume volume(Volume volume) {
    return proxy(
        Volume.class,
        (method, arguments, call) -> {
          if (method.equals("status")) {
            askedForStatus = Thread.currentThread();
            asked.add(volume.id());
            statusGate.await();
          }
          synchronized (this) {
            if (holding && HELD.contains(method)) {
              waiting.add(
                  () -> {
                    try {
                      call.run();
                    } catch (Throwable e) {
                      throw new AssertionError(e);
                    }
                  });
              notifyAll();
              return null;
            }
          }
          return call.run();
        },
        volume);
  }

  /// The thread that last asked a volume for its provisioning state; null if none did.
  @Nullable Thread askedForStatus() {
    return askedForStatus;
  }

  /// The volumes that were asked for their provisioning state, in order.
  List<VolumeId> asked() {
    return List.copyOf(asked);
  }

  /// Lets nobody have the provisioning state of a volume until [#answer]: who asks is blocked.
  void holdStatus() {
    statusGate = new CountDownLatch(1);
  }

  void answer() {
    statusGate.countDown();
  }

  synchronized void hold() {
    holding = true;
  }

  /// Waits until so many calls are held.
  synchronized void awaitHeld(int count) throws InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (waiting.size() < count) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError(
            "expected %d held calls within 10 s, got %d".formatted(count, waiting.size()));
      }
      wait(left);
    }
  }

  /// Runs what is held, and holds nothing any more.
  void release() {
    Queue<Runnable> all;
    synchronized (this) {
      holding = false;
      all = new ArrayDeque<>(waiting);
      waiting.clear();
    }
    all.forEach(Runnable::run);
  }

  /// Runs the call that has waited longest.
  void releaseOne() {
    Runnable one;
    synchronized (this) {
      one = waiting.remove();
    }
    one.run();
  }

  private interface Around {
    Object call(String method, Object[] arguments, Call call) throws Throwable;
  }

  private interface Call {
    Object run() throws Throwable;
  }

  private <T> T proxy(Class<T> type, Around around) {
    return proxy(type, around, memory);
  }

  private static <T> T proxy(Class<T> type, Around around, Object to) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                around.call(
                    method.getName(),
                    arguments,
                    () -> {
                      try {
                        return method.invoke(to, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
