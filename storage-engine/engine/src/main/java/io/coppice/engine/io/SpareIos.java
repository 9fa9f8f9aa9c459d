package io.coppice.engine.io;

import io.coppice.engine.AwaitedIo;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/// I/Os of a pool that have ended, for those to come: as many as were under way at a time, up to a
/// limit. So an I/O allocates nothing but where it meets others, or is large.
///
/// Each has one owner at a time, whose class says who that is when; only the last one gives it
/// back. One that is never given back, because its end was an exception of whoever asked for it, is
/// garbage and does no harm.
public final class SpareIos {

  /// Of each kind, at most; a write takes some 300 bytes, and 12 for each block of the largest one
  /// that it was.
  private static final int MOST = 1024;

  final Stack<AlignedWrite> writes;
  final Stack<ReadIo> reads;
  final Stack<AwaitedIo> waits = new Stack<>(AwaitedIo::new);

  public SpareIos(OpenPool pool) {
    writes = new Stack<>(() -> new AlignedWrite(pool, this));
    reads = new Stack<>(() -> new ReadIo(pool, this));
  }

  /// Spare ones of one kind: the last one given back is the first one taken.
  static final class Stack<T> {

    private final Supplier<T> maker;
    private final ArrayDeque<T> spare = new ArrayDeque<>(); // guarded by itself

    private Stack(Supplier<T> maker) {
      this.maker = maker;
    }

    /// One that nobody else holds.
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
