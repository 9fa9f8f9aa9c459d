package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.state.RangeOrder;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A read. It samples the map when it begins. It begins at once unless an earlier exclusive I/O
/// overlaps. From then on no later I/O can change what it returns.
///
/// It is used again for one read after another ([IoFreeList]) with all that it needs. One thread at
/// a time owns it, or one place: first the thread that asks for the read; while it must wait, the
/// volume's order, until its turn; then the tasks or queues of [BlockReads] that it is handed to.
/// An owner lets go when it hands it on. The last owner tells the caller, and then gives it back.
/// By then it is in no order, task or queue, and its mapping is closed.
final class ReadIo extends RangeOrder.Entry implements PiecewiseRead.Owner, Runnable {

  private static final int BLOCK = PoolLayout.BLOCK;

  /// Most blocks of a read that is used again: it takes 20 bytes for each.
  private static final int MOST_BLOCKS = 1024;

  private final OpenPool pool;
  private final IoFreeList spares;
  private final BlockReads.Mapping mapping;
  private final PiecewiseRead pieces;
  private @Nullable VolumeState volume;
  private @Nullable Completion completion;
  private ByteBuffer into = PiecewiseRead.NO_BYTES;
  private long offset;
  private int length;
  private int blocks;
  private boolean waited;

  ReadIo(OpenPool pool, IoFreeList spares) {
    super(true);
    this.pool = pool;
    this.spares = spares;
    mapping = pool.reads().new Mapping();
    pieces = new PiecewiseRead(mapping, this);
  }

  void start(VolumeState of, long at, ByteBuffer buffer, Completion whom, CallerThread caller) {
    volume = of;
    offset = at;
    into = buffer;
    completion = whom;
    length = buffer.remaining();
    long first = at / BLOCK;
    long end = (at + length + BLOCK - 1) / BLOCK;
    blocks = (int) (end - first);
    cover(first, end, (at | length) % BLOCK != 0);
    of.readBegins();
    if (of.order().enterUnlessFree(this)) {
      sample(caller);
    }
  }

  private VolumeState volume() {
    return Objects.requireNonNull(volume, "the volume of a read that is not under way");
  }

  @Override
  protected void granted() {
    waited = true;
    leavesQueue(System.nanoTime());
    sample(CallerThread.HANDS_OVER);
  }

  private void sample(CallerThread caller) {
    boolean open;
    try {
      open = !volume().isDeleted() && mapping.open(volume(), first(), blocks, false);
    } catch (RuntimeException | Error e) {
      ended(BlockReads.failureOf(e));
      return;
    }
    if (open) {
      if (!endIfHole()) {
        begin(caller != CallerThread.HANDS_OVER);
      }
    } else if (volume().isDeleted()) {
      ended(volume().notFound());
    } else if (caller == CallerThread.BLOCKS && pool.reads().enter()) {
      try {
        load();
      } finally {
        pool.reads().leave();
      }
    } else {
      handOver();
    }
  }

  /// Lets a thread that may read the device call [#run].
  private void handOver() {
    try {
      pool.reads().execute(this);
    } catch (RuntimeException | Error e) { // the pool is closed, or there is no thread to be had
      mapping.close();
      ended(BlockReads.failureOf(e));
    }
  }

  @Override
  public void leavesQueue(long at) {
    Completion whom = completion;
    if (whom != null) {
      whom.leavesQueue(at);
    }
  }

  @Override
  public void run() {
    leavesQueue(System.nanoTime());
    if (mapping.isOpen()) {
      readHere();
    } else {
      load();
    }
  }

  /// Samples a map that is not all in memory, on a thread that may read the device.
  private void load() {
    try {
      mapping.open(volume(), first(), blocks, true);
    } catch (RuntimeException | Error e) {
      ended(BlockReads.failureOf(e));
      return;
    }
    if (!endIfHole() && !(pool.reads().prefersQueue(mapping) && offer())) {
      readHere();
    }
  }

  /// Offers the read to the queues of the device.
  ///
  /// @return whether it was taken
  private boolean offer() {
    return PiecewiseRead.fits(offset, into)
        && mapping.isPlaced()
        && !mapping.isInLargePieces()
        && pool.reads().offer(pieces.aim(into));
  }

  /// Ends the read at once if the range is a hole, now that the map is sampled.
  ///
  /// @return whether it is
  private boolean endIfHole() {
    leaveOrder();
    if (!mapping.isHole()) {
      return false;
    }
    mapping.close();
    ZeroDetection.zero(into, length);
    ended(null);
    return true;
  }

  private void leaveOrder() {
    if (waited) {
      waited = false;
      volume().order().leave(this);
    }
  }

  private void begin(boolean here) {
    if (here && !pool.reads().prefersQueue(mapping) && pool.reads().enter()) {
      try {
        readHere();
      } finally {
        pool.reads().leave();
      }
    } else if (!offer()) {
      handOver();
    }
  }

  @Override
  public void readHere() {
    int position = into.position();
    int limit = into.limit();
    StorageException failure = null;
    try (mapping) {
      mapping.read(offset, into);
    } catch (RuntimeException | Error e) {
      into.limit(limit).position(position);
      failure = BlockReads.failureOf(e);
    }
    ended(failure);
  }

  @Override
  public void ended(@Nullable StorageException failure) {
    leaveOrder();
    VolumeState of = volume();
    Completion whom = Objects.requireNonNull(completion, "a read that is not under way ends");
    volume = null;
    completion = null;
    of.readEnds();
    if (failure == null) {
      pool.tally().hostBytesRead.add(length);
      whom.succeeded();
    } else {
      whom.failed(failure);
    }
    giveBack();
  }

  private void giveBack() {
    into = PiecewiseRead.NO_BYTES;
    pieces.letGo();
    if (blocks <= MOST_BLOCKS) {
      spares.reads.giveBack(this);
    }
  }
}
