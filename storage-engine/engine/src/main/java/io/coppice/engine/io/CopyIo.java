package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;

/// A copy from one range to another.
///
/// Whole blocks with the same alignment in both ranges are copied by pointer, in records of up to 4
/// MiB. Each record reads its source at its own position in the log. The rest is read and written.
public final class CopyIo {

  private static final int BLOCK = PoolLayout.BLOCK;
  private static final int PIECE = 1 << 20;

  /// The source and destination ranges of a copy, in bytes.
  public record Ranges(
      VolumeState source, long sourceOffset, VolumeState volume, long offset, long length) {}

  private CopyIo() {}

  public static void start(OpenPool pool, Ranges ranges, Completion completion) {
    ranges.volume.order().enter(new Io(pool, ranges, completion));
  }

  private static final class Io extends RangedIo {
    private final OpenPool pool;
    private final Ranges ranges;

    Io(OpenPool pool, Ranges ranges, Completion completion) {
      super(pool, new Range(ranges.volume, ranges.offset, ranges.length), true, completion);
      this.pool = pool;
      this.ranges = ranges;
    }

    @Override
    void begin() {
      long distance = ranges.sourceOffset - ranges.offset;
      long end = ranges.offset + ranges.length;
      long first = (ranges.offset + BLOCK - 1) / BLOCK;
      long last = end / BLOCK;
      if (distance % BLOCK != 0 || first >= last) {
        byData(ranges.offset, end);
        return;
      }
      byPointer(first, last, distance / BLOCK);
      byData(ranges.offset, first * BLOCK);
      byData(last * BLOCK, end);
    }

    private void byPointer(long first, long last, long distance) {
      for (long at = first; at < last; at += BlockChanges.MAX_SLICE) {
        int blocks = (int) Math.min(BlockChanges.MAX_SLICE, last - at);
        RangeCommand.Kind.Copy copy =
            new RangeCommand.Kind.Copy(at, ranges.source, at + distance, blocks);
        submit(part -> new RangeCommand(pool, ranges.volume, copy, counting(part, blocks)));
      }
    }

    private IoCommand counting(IoCommand part, int blocks) {
      return new IoCommand() {
        @Override
        public void done() {
          pool.tally().bytesCopiedByPointer.add((long) blocks * BLOCK);
          part.done();
        }

        @Override
        public void failed(StorageException failure) {
          part.failed(failure);
        }
      };
    }

    private void byData(long from, long to) {
      if (from < to) {
        background(part -> piece(from, to, part));
      }
    }

    // One piece after the other: a copy of any length takes the memory of one piece.
    private void piece(long from, long to, IoCommand part) {
      long end = Math.min(to, from / BLOCK * BLOCK + PIECE);
      BlockWrite.BlockRun run = load(from, (int) (end - from));
      IoCommand next =
          new IoCommand() {
            @Override
            public void done() {
              byData(end, to);
              part.done();
            }

            @Override
            public void failed(StorageException failure) {
              part.failed(failure);
            }
          };
      pool.admission().submit(new BlockWrite(pool, ranges.volume, run, false, next));
    }

    private BlockWrite.BlockRun load(long from, int length) {
      if (ranges.source.isDeleted()) {
        throw ranges.source.notFound();
      }
      ByteBuffer bytes = ByteBuffer.allocate(length);
      long sourceAt = ranges.sourceOffset + (from - ranges.offset);
      long first = sourceAt / BLOCK;
      int blocks = (int) ((sourceAt + length + BLOCK - 1) / BLOCK - first);
      try (BlockReads.Mapping mapping = pool.reads().new Mapping(ranges.source, first, blocks)) {
        mapping.read(sourceAt, bytes);
      }
      ByteBuffer whole = new Writes(pool, ranges.volume).completed(from, bytes.flip());
      return new BlockWrite.BlockRun(from / BLOCK, whole);
    }
  }
}
