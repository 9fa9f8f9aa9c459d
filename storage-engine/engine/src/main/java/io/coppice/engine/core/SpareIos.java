package io.coppice.engine.core;

import io.coppice.engine.AwaitedIo;
import java.util.ArrayDeque;
import java.util.function.Function;

/// I/Os of a pool that have ended, for those to come: as many as were under way at a time, up to a
/// limit. So an I/O allocates nothing but where it meets others, or is large.
///
/// Each has one owner at a time, whose class says who that is when; only the last one gives it
/// back. One that is never given back, because its end was an exception of whoever asked for it, is
/// garbage and does no harm.
final class SpareIos {

  /// Of each kind, at most; a write takes some 300 bytes, and 12 for each block of the largest one
  /// that it was.
  private static final int MOST = 1024;

  final Stack<AlignedWrite> writes = new Stack<>(AlignedWrite::new);
  final Stack<ReadIo> reads = new Stack<>(ReadIo::new);
  final Stack<AwaitedIo> waits = new Stack<>(_ -> new AwaitedIo());

  /// Spare ones of one kind: the last one given back is the first one taken.
  static final class Stack<T> {

    private final Function<OpenPool, T> maker;
    private final ArrayDeque<T> spare = new ArrayDeque<>(); // guarded by itself

    private Stack(Function<OpenPool, T> maker) {
      this.maker = maker;
    }

    /// One that nobody else holds.
    T take(OpenPool pool) {
      T taken;
      synchronized (spare) {
        taken = spare.pollLast();
      }
      return taken == null ? maker.apply(pool) : taken;
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
