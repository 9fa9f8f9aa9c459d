package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A write of whole blocks, used again for one write after another ([IoFreeList]) together with its
/// command.
///
/// Its owner is the thread that asks for the write, until [RangeOrder#enter]. Then its parts own it
/// together. The thread that grants it is one part, its command is another. Exactly one place holds
/// the command at a time: admission or [SpaceGate], each with its waiting commands, the committer's
/// queues, or its batch. Each lets go before it ends the command. The end of the last part, in
/// success or failure, takes this out of the order, tells the caller, and gives it back; there is
/// no other owner left. The further commands of a larger write belong to it alone.
final class AlignedWrite extends RangedIo {

  private final IoFreeList spares;
  private final BlockWrite command;
  private ByteBuffer from = PiecewiseRead.NO_BYTES;
  private CallerThread caller = CallerThread.HANDS_OVER;
  private @Nullable Thread thread;

  AlignedWrite(OpenPool pool, IoFreeList spares) {
    super(pool);
    this.spares = spares;
    command = new BlockWrite(pool, false, this);
  }

  void start(
      VolumeState volume, long offset, ByteBuffer bytes, Completion completion, CallerThread who) {
    from = bytes;
    caller = who;
    thread = who == CallerThread.HANDS_OVER ? null : Thread.currentThread();
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
      pool().admission().execute(command, caller == CallerThread.BLOCKS);
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
