package io.coppice.engine.io;

import io.coppice.engine.AwaitedIo;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/// The ended I/Os of a pool, kept for later use: as many as were under way at a time, up to a
/// limit. So an I/O allocates nothing unless it meets others or is large.
///
/// Each has one owner at a time, which its class names; only the last owner gives it back. If its
/// end was an exception of its caller, it is never given back. It is then garbage and does no harm.
public final class IoFreeList {

  /// Most spare I/Os of each kind. A write takes some 300 bytes, and 12 for each block of the
  /// largest write that it was used for.
  private static final int MOST = 1024;

  final Stack<AlignedWrite> writes;
  final Stack<ReadIo> reads;
  final Stack<AwaitedIo> waits = new Stack<>(AwaitedIo::new);

  public IoFreeList(OpenPool pool) {
    writes = new Stack<>(() -> new AlignedWrite(pool, this));
    reads = new Stack<>(() -> new ReadIo(pool, this));
  }

  /// The spare I/Os of one kind. The last one given back is the first one taken.
  static final class Stack<T> {

    private final Supplier<T> maker;
    private final ArrayDeque<T> spare = new ArrayDeque<>(); // guarded by itself

    private Stack(Supplier<T> maker) {
      this.maker = maker;
    }

    /// An I/O that nothing else holds.
    T take() {
      T taken;
      synchronized (spare) {
        taken = spare.pollLast();
      }
      return taken == null ? maker.get() : taken;
    }

    /// To be called by the only holder, once for each [#take].
    void giveBack(T ended) {
      synchronized (spare) {
        if (spare.size() < MOST) {
          spare.addLast(ended);
        }
      }
    }
  }
}
