package io.coppice.scsi.command;

import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.task.MultiStepCommand;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// VERIFY. It reads the range piece by piece, which checks it, and compares with what was sent.
final class Verification extends MultiStepCommand {

  private static final int PIECE = 256 << 10;

  private final VolumeUnit unit;
  private final long start;
  private final long length;
  private final @Nullable ByteBuffer expected;
  private @Nullable ByteBuffer piece;
  private long done;
  private int reading;

  private Verification(
      Task task, VolumeUnit unit, long start, long length, @Nullable ByteBuffer expected) {
    super(task);
    this.unit = unit;
    this.start = start;
    this.length = length;
    this.expected = expected;
  }

  /// Only reads.
  static Verification reading(Task task, VolumeUnit unit, long start, long length) {
    return new Verification(task, unit, start, length, null);
  }

  /// Compares with all of `expected`, which may end inside a block.
  static Verification comparing(Task task, VolumeUnit unit, long start, ByteBuffer expected) {
    return new Verification(task, unit, start, expected.remaining(), expected);
  }

  /// Compares every block with the one block in `expected`.
  static Verification comparingEach(
      Task task, VolumeUnit unit, long start, long length, ByteBuffer expected) {
    return new Verification(task, unit, start, length, expected);
  }

  @Override
  protected void step() {
    ByteBuffer into = piece;
    if (into != null && reading > 0) {
      long difference = firstDifference(into);
      if (difference >= 0) {
        task().fail(SenseData.miscompare(difference));
        return;
      }
      done += reading;
    }
    if (done == length) {
      task().finish(ScsiResponse.good(task().transferLength()));
      return;
    }
    if (into == null) {
      into = task().command().dataIn().allocate((int) Math.min(wholeBlocks(length), PIECE));
      piece = into;
    }
    reading = (int) Math.min(length - done, into.capacity());
    unit.volume().read(start + done, into.position(0).limit((int) wholeBlocks(reading)), this);
  }

  private static long wholeBlocks(long bytes) {
    return (bytes + VolumeUnit.BLOCK_SIZE - 1) / VolumeUnit.BLOCK_SIZE * VolumeUnit.BLOCK_SIZE;
  }

  /// Offset of the first byte of the piece that differs, from the start of the range; -1 if none.
  private long firstDifference(ByteBuffer read) {
    ByteBuffer wanted = expected;
    if (wanted == null) {
      return -1;
    }
    for (int at = 0; at < reading; ) {
      int in = (int) ((done + at) % wanted.remaining());
      int span = Math.min(reading - at, wanted.remaining() - in);
      int same = read.slice(at, span).mismatch(wanted.slice(wanted.position() + in, span));
      if (same >= 0) {
        return done + at + same;
      }
      at += span;
    }
    return -1;
  }
}
