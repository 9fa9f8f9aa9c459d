package io.coppice.scsi.copy;

import io.coppice.engine.StorageException;
import io.coppice.scsi.page.CopyStatus.State;
import io.coppice.scsi.parameter.RangeList;
import io.coppice.scsi.task.CopyOperation;
import io.coppice.scsi.task.SenseTranslation;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.VolumeUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// WRITE USING TOKEN (SBC-4 §5.59). It writes the token's data, from the offset on, into one range
/// after the other, by pointer in the engine.
final class WriteUsingToken extends MultiStepCopy {

  /// Most bytes of one engine call, so that it can end soon.
  private static final long PIECE_BYTES = 64L << 20;

  private static final long BLOCK = VolumeUnit.BLOCK_SIZE;

  private final VolumeUnit unit;
  private final Source source;
  private final Cursor to;
  private final @Nullable Cursor from;
  private long calling;
  private long written;

  WriteUsingToken(
      Task task,
      VolumeUnit unit,
      CopyOperation operation,
      RangeList.Write list,
      Source source,
      Workers workers) {
    super(task, operation, workers);
    this.unit = unit;
    this.source = source;
    this.to = new Cursor(list.ranges());
    TokenData held = source.held;
    this.from = held == null ? null : new Cursor(held.ranges());
    if (from != null) {
      from.skip(list.offset() * BLOCK);
    }
  }

  /// The data to write: a token's data, or zeros.
  static final class Source {
    private final @Nullable TokenData held;
    private final @Nullable RodTokens tokens;
    private final boolean delete;

    /// @param delete whether the token ends with the command
    Source(@Nullable TokenData held, @Nullable RodTokens tokens, boolean delete) {
      this.held = held;
      this.tokens = tokens;
      this.delete = delete;
    }

    static Source zeros() {
      return new Source(null, null, false);
    }

    void release() {
      if (tokens != null && held != null) {
        tokens.release(held, delete);
      }
    }
  }

  /// A place in some ranges.
  private static final class Cursor {
    private final List<RangeList.Range> ranges;
    private int index;
    private long done; // bytes of the range at the index

    Cursor(List<RangeList.Range> ranges) {
      this.ranges = ranges;
    }

    /// Bytes left of the present range; 0 at the end of all.
    long left() {
      while (index < ranges.size() && done == ranges.get(index).blocks() * BLOCK) {
        index++;
        done = 0;
      }
      return index == ranges.size() ? 0 : ranges.get(index).blocks() * BLOCK - done;
    }

    long offset() {
      return ranges.get(index).lba() * BLOCK + done;
    }

    void skip(long bytes) {
      for (long rest = bytes; rest > 0 && left() > 0; ) {
        long step = Math.min(rest, left());
        done += step;
        rest -= step;
      }
    }
  }

  @Override
  boolean prepareNext() {
    if (calling > 0) {
      to.skip(calling);
      if (from != null) {
        from.skip(calling);
      }
      written += calling;
      operation().report(operation().status().advanced(0, written));
    }
    calling = Math.min(PIECE_BYTES, Math.min(to.left(), from == null ? PIECE_BYTES : from.left()));
    return calling > 0;
  }

  @Override
  void call() {
    TokenData held = source.held;
    if (from != null && held != null) {
      unit.volume().copyFrom(held.snapshot(), from.offset(), to.offset(), calling, this);
    } else {
      unit.volume().writeZeroes(to.offset(), calling, this);
    }
  }

  /// Partial if the token had less than was asked for.
  @Override
  State outcome() {
    task().offloads(OffloadLedger.Kind.TOKEN_COPY, from == null ? written : 2 * written);
    return to.left() == 0 ? State.COMPLETED : State.PARTIAL;
  }

  @Override
  void leave() {}

  @Override
  void ended() {
    source.release();
  }

  @Override
  public void failed(StorageException failure) {
    abort(SenseTranslation.senseOf(failure));
  }
}
