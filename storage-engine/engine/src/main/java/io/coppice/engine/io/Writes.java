package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The writes of one volume, cut into commands for the log.
final class Writes {

  private static final int BLOCK = PoolLayout.BLOCK;

  private final OpenPool pool;
  private final VolumeState volume;

  Writes(OpenPool pool, VolumeState volume) {
    this.pool = pool;
    this.volume = volume;
  }

  private static long firstBlock(long offset) {
    return offset / BLOCK;
  }

  private static long endBlock(long offset, long length) {
    return (offset + length + BLOCK - 1) / BLOCK;
  }

  /// A write whose whole blocks are all zero becomes a hole: one record, as atomic as the write. A
  /// ragged write is stored whatever it holds, since its ends would be separate records.
  void write(
      IoFreeList spares, long offset, ByteBuffer from, Completion completion, CallerThread caller) {
    int length = from.remaining();
    boolean isAligned = (offset | length) % BLOCK == 0;
    if (isAligned && !ZeroDetection.fill(from)) {
      spares.writes.take().start(volume, offset, from, completion, caller);
      return;
    }
    RangedIo.Range range = new RangedIo.Range(volume, offset, length);
    Completion counting = counting(completion, length);
    volume
        .order()
        .enter(isAligned ? new Zeroing(range, counting) : new RaggedWrite(range, from, counting));
  }

  private Completion counting(Completion completion, long length) {
    return new Completion() {
      @Override
      public void entersQueue(long at) {
        completion.entersQueue(at);
      }

      @Override
      public void leavesQueue(long at) {
        completion.leavesQueue(at);
      }

      @Override
      public void succeeded() {
        pool.tally().hostBytesWritten.add(length);
        completion.succeeded();
      }

      @Override
      public void failed(StorageException failure) {
        completion.failed(failure);
      }
    };
  }

  /// A write that does not fill its first or last block. Those blocks are read, completed and
  /// stored whole. The I/O holds its blocks alone meanwhile.
  private final class RaggedWrite extends RangedIo {
    private final long offset;
    private final ByteBuffer from;

    RaggedWrite(Range range, ByteBuffer from, Completion completion) {
      super(pool, range, true, completion);
      this.offset = range.offset();
      this.from = from;
    }

    @Override
    void begin() {
      background(() -> submitBlocks(firstBlock(offset), completed(offset, from)));
    }
  }

  /// The whole blocks around `from` at `offset`, with the stored bytes where `from` has none. Reads
  /// the device.
  ByteBuffer completed(long offset, ByteBuffer from) {
    int length = from.remaining();
    long first = firstBlock(offset);
    int blocks = (int) (endBlock(offset, length) - first);
    ByteBuffer whole = AlignedBuffers.allocate(blocks * BLOCK);
    int head = (int) (offset % BLOCK);
    int tail = blocks * BLOCK - head - length;
    if (head > 0) {
      readInto(whole, first, 0, head);
    }
    if (tail > 0) {
      readInto(whole, first, head + length, tail);
    }
    whole.put(head, from, from.position(), length);
    return whole;
  }

  private void readInto(ByteBuffer whole, long first, int at, int length) {
    long block = first + at / BLOCK;
    try (BlockReads.Mapping mapping = pool.reads().new Mapping(volume, block, 1)) {
      mapping.read(first * BLOCK + at, whole.slice(at, length));
    }
  }

  // ---- zeros

  void zero(long offset, long length, Completion completion) {
    volume.order().enter(new Zeroing(new RangedIo.Range(volume, offset, length), completion));
  }

  void zero(List<ByteRange> ranges, Completion completion) {
    UnmapIo.start(pool, volume, ranges, this::zero, completion);
  }

  /// An I/O that changes the whole blocks of its range in one step and stores the ragged ends.
  private abstract class Edged extends RangedIo {
    private final Range range;
    private final @Nullable ByteBuffer pattern;

    /// @param pattern bytes for the ends, repeated from the range's start on; absent: zeros, except
    ///   in holes
    Edged(Range range, @Nullable ByteBuffer pattern, Completion completion) {
      super(pool, range, !range.isAligned(), completion);
      this.range = range;
      this.pattern = pattern;
    }

    /// Starts the change of the blocks [first, last).
    abstract void wholeBlocks(long first, long last);

    @Override
    final void begin() {
      long first = endBlock(range.offset(), 0);
      long last = firstBlock(range.end());
      if (first < last) {
        wholeBlocks(first, last);
      }
      if (!range.isAligned()) {
        background(this::ends);
      }
    }

    private void ends() {
      long offset = range.offset();
      long end = range.end();
      long headEnd = Math.min(end, endBlock(offset, 0) * BLOCK);
      if (headEnd > offset) {
        end(offset, (int) (headEnd - offset));
      }
      long tailStart = firstBlock(end) * BLOCK;
      if (tailStart < end && tailStart >= headEnd) {
        end(tailStart, (int) (end - tailStart));
      }
    }

    private void end(long offset, int length) {
      if (pattern == null && isHole(firstBlock(offset))) {
        return;
      }
      ByteBuffer bytes = ByteBuffer.allocate(length);
      if (pattern != null) {
        repeat(pattern, offset - range.offset(), bytes);
      }
      submitBlocks(firstBlock(offset), completed(offset, bytes));
    }
  }

  private boolean isHole(long block) {
    try (BlockReads.Mapping mapping = pool.reads().new Mapping(volume, block, 1)) {
      return mapping.isHole();
    }
  }

  private final class Zeroing extends Edged {

    Zeroing(Range range, Completion completion) {
      super(range, null, completion);
    }

    @Override
    void wholeBlocks(long first, long last) {
      List<RangeCommand.Run> whole = List.of(new RangeCommand.Run(first, last - first));
      for (List<RangeCommand.Run> some : UnmapIo.commands(volume, whole)) {
        submit(part -> new RangeCommand(pool, volume, new RangeCommand.Kind.Unmap(some), part));
      }
    }
  }

  private static void repeat(ByteBuffer pattern, long phase, ByteBuffer into) {
    int size = pattern.remaining();
    for (int i = 0; i < into.capacity(); i++) {
      into.put(i, pattern.get(pattern.position() + (int) ((phase + i) % size)));
    }
  }

  // ---- repeated blocks

  void writeSame(long offset, long length, ByteBuffer block, Completion completion) {
    RangedIo.Range range = new RangedIo.Range(volume, offset, length);
    if (ZeroDetection.fill(block)) {
      zero(offset, length, completion);
    } else if (BLOCK % block.remaining() == 0) {
      volume.order().enter(new Repeating(range, block, completion));
    } else {
      volume.order().enter(new Unrolling(range, block, completion));
    }
  }

  /// One stored block, mapped at every whole block of the range.
  private final class Repeating extends Edged {
    private final long offset;
    private final ByteBuffer pattern;

    Repeating(Range range, ByteBuffer pattern, Completion completion) {
      super(range, pattern, completion);
      this.offset = range.offset();
      this.pattern = pattern;
    }

    @Override
    void wholeBlocks(long first, long last) {
      ByteBuffer block = AlignedBuffers.allocate(BLOCK);
      repeat(pattern, first * BLOCK - offset, block);
      for (long at = first; at < last; at += BlockChanges.MAX_SLICE) {
        int blocks = (int) Math.min(BlockChanges.MAX_SLICE, last - at);
        RangeCommand.Kind.Fill fill = new RangeCommand.Kind.Fill(at, blocks, block);
        submit(part -> new RangeCommand(pool, volume, fill, part));
      }
    }
  }

  /// A block whose size does not divide 4096: the range is written out.
  private final class Unrolling extends RangedIo {
    private final Range range;
    private final ByteBuffer pattern;

    Unrolling(Range range, ByteBuffer pattern, Completion completion) {
      super(pool, range, true, completion);
      this.range = range;
      this.pattern = pattern;
    }

    @Override
    void begin() {
      background(this::unroll);
    }

    private void unroll() {
      long at = range.offset();
      while (at < range.end()) {
        long pieceEnd = Math.min(range.end(), (firstBlock(at) * BLOCK) + RangedIo.MAX_COMMAND);
        ByteBuffer bytes = ByteBuffer.allocate((int) (pieceEnd - at));
        repeat(pattern, at - range.offset(), bytes);
        submitBlocks(firstBlock(at), completed(at, bytes));
        at = pieceEnd;
      }
    }
  }
}
