package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A write of whole blocks, used for one after the other ([SpareIos]) together with its command.
///
/// Who owns it: the thread that asks for the write, until [RangeOrder#enter]. From then on its
/// parts: one of the thread that grants it, and one of its command, which exactly one place holds
/// at a time: admission with those who wait there, the committer's queues, its batch, or
/// [SpaceGate] with those who wait there; each of them lets go before it ends the command. Whoever
/// ends the last part, by success or failure, takes this out of the order, tells who asked, and
/// then gives it back; there is nobody else left. Of a write of several commands the others are its
/// alone.
final class AlignedWrite extends RangedIo {

  private final SpareIos spares;
  private final BlockWrite command;
  private ByteBuffer from = PiecewiseRead.NO_BYTES;
  private Caller caller = Caller.HANDS_OVER;
  private @Nullable Thread thread;

  AlignedWrite(OpenPool pool, SpareIos spares) {
    super(pool);
    this.spares = spares;
    command = new BlockWrite(pool, false, this);
  }

  void start(VolumeState volume, long offset, ByteBuffer bytes, Completion completion, Caller who) {
    from = bytes;
    caller = who;
    thread = who == Caller.HANDS_OVER ? null : Thread.currentThread();
    aim(volume, offset, bytes.remaining(), false, completion);
    volume.order().enter(this);
  }

  @Override
  void begin() {
    int length = from.remaining();
    long first = first();
    if (length > MAX_COMMAND + PoolLayout.BLOCK) {
      submitBlocks(first, from);
      return;
    }
    command.store(volume(), first, from);
    part();
    // Ends by itself from here on, whatever happens. Its turn may come on the committer, or on a
    // thread that may not block.
    boolean here = Thread.currentThread().equals(thread) && length <= MAX_COMMAND;
    if (here) {
      pool().admission().execute(command, caller == Caller.BLOCKS);
    } else {
      pool().admission().submit(command);
    }
  }

  @Override
  void ended(Completion completion, @Nullable StorageException failure) {
    if (failure == null) {
      pool().tally().hostBytesWritten.add(from.remaining());
    }
    super.ended(completion, failure);
    from = PiecewiseRead.NO_BYTES;
    thread = null;
    command.letGo();
    spares.writes.giveBack(this);
  }
}
