package io.coppice.iscsi.connection;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way of completions from other threads back to a connection's event loop, in their order.
///
/// An intrusive stack. The first to arrive wakes the loop and the others only link themselves in,
/// so a batch of completions costs one wake-up. No allocation.
public final class Completions {

  /// Something that has ended.
  public abstract static class Node {
    private @Nullable Node next;

    /// Runs on the event loop, once.
    public abstract void finish();
  }

  private final AtomicReference<@Nullable Node> newest = new AtomicReference<>();
  private final EventExecutor loop;
  private final Runnable drain;
  private final Consumer<Throwable> failed;

  /// @param drain calls [#run] and then sends what came out of it
  /// @param failed told of what a node threw; those after it finish all the same
  Completions(EventExecutor loop, Runnable drain, Consumer<Throwable> failed) {
    this.loop = loop;
    this.drain = drain;
    this.failed = failed;
  }

  /// @param drainFollows whether the caller is the loop and will drain by itself
  void add(Node node, boolean drainFollows) {
    Node before;
    do {
      before = newest.get();
      node.next = before;
    } while (!newest.compareAndSet(before, node));
    if (before == null && !drainFollows) {
      try {
        loop.execute(drain);
      } catch (RejectedExecutionException loopHasEnded) {
        // The target is closed: nobody is left to send to, only memory to give back.
        run();
      }
    }
  }

  boolean isEmpty() {
    return newest.get() == null;
  }

  /// Finishes everything that has been added, oldest first.
  void run() {
    Node node = reversed(newest.getAndSet(null));
    while (node != null) {
      Node following = node.next;
      node.next = null;
      try {
        node.finish();
      } catch (RuntimeException | Error e) {
        failed.accept(e); // the others must not be lost with it
      }
      node = following;
    }
  }

  private static @Nullable Node reversed(@Nullable Node newestFirst) {
    Node oldest = null;
    Node node = newestFirst;
    while (node != null) {
      Node older = node.next;
      node.next = oldest;
      oldest = node;
      node = older;
    }
    return oldest;
  }
}
