package io.coppice.scsi.command;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.scsi.task.MultiStepCommand;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;

/// A write whose data ends inside a block, since the initiator sends less than the CDB says. The
/// whole blocks come first, then the last one with its old bytes after the data. That block is
/// written by comparing, so that nothing of another write is lost.
final class UnalignedWrite extends MultiStepCommand implements CompareCompletion {

  private static final int BLOCK = VolumeUnit.BLOCK_SIZE;
  private static final int MOST_TRIES = 1000;

  private enum Next {
    WHOLE_BLOCKS,
    READ_LAST,
    WRITE_LAST,
    END
  }

  private final VolumeUnit unit;
  private final long start;
  private final ByteBuffer sent;
  private final int whole;
  private final Completion then;
  private final ByteBuffer before = ByteBuffer.allocate(BLOCK);
  private final ByteBuffer after = ByteBuffer.allocate(BLOCK);
  private Next next;
  private int tries;

  private UnalignedWrite(Task task, VolumeUnit unit, long start, ByteBuffer sent, Completion then) {
    super(task);
    this.unit = unit;
    this.start = start;
    this.sent = sent;
    this.whole = sent.remaining() - sent.remaining() % BLOCK;
    this.then = then;
    this.next = whole == 0 ? Next.READ_LAST : Next.WHOLE_BLOCKS;
  }

  /// Writes all of `sent`.
  ///
  /// @param then told of the end
  static void begin(Task task, VolumeUnit unit, long start, ByteBuffer sent, Completion then) {
    new UnalignedWrite(task, unit, start, sent.slice(), then).succeeded();
  }

  static boolean isRagged(ByteBuffer data) {
    return data.remaining() % BLOCK != 0;
  }

  /// The data and zeros up to the end of its last block: for commands that change nothing by zeros.
  static ByteBuffer padded(ByteBuffer data) {
    int blocks = (data.remaining() + BLOCK - 1) / BLOCK;
    return ByteBuffer.allocate(blocks * BLOCK).put(0, data, data.position(), data.remaining());
  }

  @Override
  protected void step() {
    switch (next) {
      case WHOLE_BLOCKS -> {
        next = Next.READ_LAST;
        unit.volume().write(start, sent.slice(0, whole), this);
      }
      case READ_LAST -> {
        if (tries++ == MOST_TRIES) {
          task().finish(ScsiResponse.of(ScsiStatus.BUSY));
          return;
        }
        next = Next.WRITE_LAST;
        unit.volume().read(start + whole, before.clear(), this);
      }
      case WRITE_LAST -> {
        before.clear();
        after.clear().put(0, before, 0, BLOCK).put(0, sent, whole, sent.limit() - whole);
        unit.volume().compareAndWrite(start + whole, before, after, this);
      }
      case END -> then.succeeded();
    }
  }

  @Override
  public void written() {
    next = Next.END;
    succeeded();
  }

  /// Another write came between the read and this.
  @Override
  public void miscompared(long mismatchOffset) {
    next = Next.READ_LAST;
    succeeded();
  }
}
