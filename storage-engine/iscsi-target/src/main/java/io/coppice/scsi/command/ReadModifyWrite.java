package io.coppice.scsi.command;

import io.coppice.engine.CompareCompletion;
import io.coppice.scsi.task.MultiStepCommand;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// ORWRITE and WRITE ATOMIC. It reads a piece and replaces it by the result if no other write has
/// come between; otherwise it tries once more. Each piece is atomic against every other command and
/// over a crash.
final class ReadModifyWrite extends MultiStepCommand implements CompareCompletion {

  /// The longest piece, and so the longest atomic write: the most that the engine compares and
  /// writes at once.
  static final int PIECE_BYTES = 1 << 20;

  private static final int MOST_TRIES = 1000;

  private final VolumeUnit unit;
  private final boolean or;
  private final long start;
  private final ByteBuffer sent;
  private @Nullable ByteBuffer scratch;
  private boolean read;
  private int done;
  private int tries;

  private ReadModifyWrite(Task task, VolumeUnit unit, long start, ByteBuffer sent, boolean or) {
    super(task);
    this.unit = unit;
    this.or = or;
    this.start = start;
    this.sent = sent;
  }

  /// Sets every bit that is set in `sent`.
  static ReadModifyWrite or(Task task, VolumeUnit unit, long start, ByteBuffer sent) {
    return new ReadModifyWrite(task, unit, start, sent.slice(), true);
  }

  /// Replaces the range.
  ///
  /// @param sent at most [#PIECE_BYTES]
  static ReadModifyWrite replace(Task task, VolumeUnit unit, long start, ByteBuffer sent) {
    return new ReadModifyWrite(task, unit, start, sent.slice(), false);
  }

  @Override
  protected void step() {
    if (done == sent.limit()) {
      task().finish(ScsiResponse.good(task().transferLength()));
      return;
    }
    int length = Math.min(sent.limit() - done, PIECE_BYTES);
    ByteBuffer memory = scratch;
    if (memory == null) {
      memory = task().command().dataIn().allocate(or ? 2 * length : length);
      scratch = memory;
    }
    ByteBuffer old = memory.slice(0, length);
    if (read) {
      read = false;
      ByteBuffer next = or ? merge(memory, old) : sent.slice(done, length);
      unit.volume().compareAndWrite(start + done, old, next, this);
    } else if (tries++ < MOST_TRIES) {
      read = true;
      unit.volume().read(start + done, old, this);
    } else {
      task().finish(ScsiResponse.of(ScsiStatus.BUSY));
    }
  }

  /// Merges into the second half of the memory, because the data sent may be needed once more.
  private ByteBuffer merge(ByteBuffer memory, ByteBuffer old) {
    ByteBuffer merged = memory.slice(memory.capacity() / 2, old.limit());
    for (int at = 0; at < merged.limit(); at += Long.BYTES) {
      merged.putLong(at, old.getLong(at) | sent.getLong(done + at));
    }
    return merged;
  }

  @Override
  public void written() {
    done += Math.min(sent.limit() - done, PIECE_BYTES);
    tries = 0;
    succeeded();
  }

  /// Another write came between the read and this.
  @Override
  public void miscompared(long mismatchOffset) {
    succeeded();
  }
}
