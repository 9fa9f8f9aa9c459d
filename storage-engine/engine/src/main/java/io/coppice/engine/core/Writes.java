package io.coppice.engine.core;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;

/// Writes of one volume, cut into commands for the log.
final class Writes {

  private static final int BLOCK = PoolLayout.BLOCK;

  /// What one command stores at most, and so what is atomic over a crash.
  private static final int MAX_COMMAND = 1 << 20;

  private final OpenPool pool;
  private final VolumeState volume;

  Writes(OpenPool pool, VolumeState volume) {
    this.pool = pool;
    this.volume = volume;
  }

  private static boolean isAligned(long offset, long length) {
    return (offset | length) % BLOCK == 0;
  }

  private static long firstBlock(long offset) {
    return offset / BLOCK;
  }

  private static long endBlock(long offset, long length) {
    return (offset + length + BLOCK - 1) / BLOCK;
  }

  void write(long offset, ByteBuffer from, Completion completion) {
    int length = from.remaining();
    Completion counting = counting(completion, length);
    if (isAligned(offset, length)) {
      volume.order().enter(new AlignedWrite(offset, from, counting));
    } else {
      volume.order().enter(new RaggedWrite(offset, from, counting));
    }
  }

  private Completion counting(Completion completion, long length) {
    return new Completion() {
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

  private final class AlignedWrite extends RangedIo {
    private final long offset;
    private final ByteBuffer from;

    AlignedWrite(long offset, ByteBuffer from, Completion completion) {
      super(
          Writes.this.volume,
          firstBlock(offset),
          endBlock(offset, from.remaining()),
          false,
          completion);
      this.offset = offset;
      this.from = from;
    }

    @Override
    void begin() {
      submitBlocks(this, firstBlock(offset), from);
    }
  }

  /// Submits whole blocks as commands of up to 1 MiB.
  private void submitBlocks(RangedIo io, long first, ByteBuffer from) {
    int start = from.position();
    int end = from.limit();
    for (int at = start; at < end; at += MAX_COMMAND) {
      int length = Math.min(MAX_COMMAND, end - at);
      BlockWrite.BlockRun run =
          new BlockWrite.BlockRun(first + (at - start) / BLOCK, from.slice(at, length));
      pool.committer().submit(new BlockWrite(pool, volume, run, false, io.part()));
    }
  }

  /// A write that does not fill its first or last block: those are read, completed and stored
  /// whole. The I/O holds its blocks alone meanwhile.
  private final class RaggedWrite extends RangedIo {
    private final long offset;
    private final ByteBuffer from;

    RaggedWrite(long offset, ByteBuffer from, Completion completion) {
      super(
          Writes.this.volume,
          firstBlock(offset),
          endBlock(offset, from.remaining()),
          true,
          completion);
      this.offset = offset;
      this.from = from;
    }

    @Override
    void begin() {
      IoCommand preparing = part();
      pool.reads().execute(() -> prepare(preparing));
    }

    private void prepare(IoCommand preparing) {
      try {
        submitBlocks(this, firstBlock(offset), completed(offset, from));
        preparing.done();
      } catch (RuntimeException e) {
        preparing.failed(BlockReads.failureOf(e));
      }
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
    volume.order().enter(new Zeroing(offset, length, completion));
  }

  private final class Zeroing extends RangedIo {
    private final long offset;
    private final long length;

    Zeroing(long offset, long length, Completion completion) {
      super(
          Writes.this.volume,
          firstBlock(offset),
          endBlock(offset, length),
          !isAligned(offset, length),
          completion);
      this.offset = offset;
      this.length = length;
    }

    @Override
    void begin() {
      long end = offset + length;
      long first = endBlock(offset, 0);
      long last = firstBlock(end);
      if (first < last) {
        RangeCommand.Kind.Unmap unmap = new RangeCommand.Kind.Unmap(first, last - first);
        pool.committer().submit(new RangeCommand(pool, volume, unmap, part()));
      }
      if (!isAligned(offset, length)) {
        IoCommand preparing = part();
        pool.reads().execute(() -> ends(this, preparing, offset, end, null));
      }
    }
  }

  /// Stores the parts of [offset, end) in blocks that it does not fill.
  ///
  /// @param pattern what to store, repeated from `offset` on; absent: zeros, where not a hole
  private void ends(
      RangedIo io,
      IoCommand preparing,
      long offset,
      long end,
      @org.jspecify.annotations.Nullable ByteBuffer pattern) {
    try {
      long headEnd = Math.min(end, endBlock(offset, 0) * BLOCK);
      if (headEnd > offset) {
        end(io, offset, (int) (headEnd - offset), 0, pattern);
      }
      long tailStart = firstBlock(end) * BLOCK;
      if (tailStart < end && tailStart >= headEnd) {
        end(io, tailStart, (int) (end - tailStart), tailStart - offset, pattern);
      }
      preparing.done();
    } catch (RuntimeException e) {
      preparing.failed(BlockReads.failureOf(e));
    }
  }

  private void end(
      RangedIo io,
      long offset,
      int length,
      long phase,
      @org.jspecify.annotations.Nullable ByteBuffer pattern) {
    if (pattern == null) {
      try (BlockReads.Mapping mapping = pool.reads().new Mapping(volume, firstBlock(offset), 1)) {
        if (mapping.isHole()) {
          return;
        }
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    if (pattern != null) {
      repeat(pattern, phase, bytes);
    }
    submitBlocks(io, firstBlock(offset), completed(offset, bytes));
  }

  private static void repeat(ByteBuffer pattern, long phase, ByteBuffer into) {
    int size = pattern.remaining();
    for (int i = 0; i < into.capacity(); i++) {
      into.put(i, pattern.get(pattern.position() + (int) ((phase + i) % size)));
    }
  }

  // ---- repeated blocks

  void writeSame(long offset, long length, ByteBuffer block, Completion completion) {
    if (isZero(block)) {
      zero(offset, length, completion);
    } else if (BLOCK % block.remaining() == 0) {
      volume.order().enter(new Repeating(offset, length, block, completion));
    } else {
      volume.order().enter(new Unrolling(offset, length, block, completion));
    }
  }

  private static boolean isZero(ByteBuffer block) {
    for (int i = block.position(); i < block.limit(); i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /// One stored block, mapped at every whole block of the range.
  private final class Repeating extends RangedIo {
    private final long offset;
    private final long length;
    private final ByteBuffer pattern;

    Repeating(long offset, long length, ByteBuffer pattern, Completion completion) {
      super(
          Writes.this.volume,
          firstBlock(offset),
          endBlock(offset, length),
          !isAligned(offset, length),
          completion);
      this.offset = offset;
      this.length = length;
      this.pattern = pattern;
    }

    @Override
    void begin() {
      long end = offset + length;
      long first = endBlock(offset, 0);
      long last = firstBlock(end);
      if (first < last) {
        ByteBuffer block = AlignedBuffers.allocate(BLOCK);
        repeat(pattern, first * BLOCK - offset, block);
        for (long at = first; at < last; at += BlockChanges.MAX_SLICE) {
          int blocks = (int) Math.min(BlockChanges.MAX_SLICE, last - at);
          RangeCommand.Kind.Fill fill = new RangeCommand.Kind.Fill(at, blocks, block);
          pool.committer().submit(new RangeCommand(pool, volume, fill, part()));
        }
      }
      if (!isAligned(offset, length)) {
        IoCommand preparing = part();
        pool.reads().execute(() -> ends(this, preparing, offset, end, pattern));
      }
    }
  }

  /// A block whose size does not divide 4096: the range is written out.
  private final class Unrolling extends RangedIo {
    private final long offset;
    private final long length;
    private final ByteBuffer pattern;

    Unrolling(long offset, long length, ByteBuffer pattern, Completion completion) {
      super(Writes.this.volume, firstBlock(offset), endBlock(offset, length), true, completion);
      this.offset = offset;
      this.length = length;
      this.pattern = pattern;
    }

    @Override
    void begin() {
      IoCommand preparing = part();
      pool.reads().execute(() -> prepare(preparing));
    }

    private void prepare(IoCommand preparing) {
      try {
        long end = offset + length;
        long at = offset;
        while (at < end) {
          long pieceEnd = Math.min(end, (firstBlock(at) * BLOCK) + MAX_COMMAND);
          ByteBuffer bytes = ByteBuffer.allocate((int) (pieceEnd - at));
          repeat(pattern, at - offset, bytes);
          submitBlocks(this, firstBlock(at), completed(at, bytes));
          at = pieceEnd;
        }
        preparing.done();
      } catch (RuntimeException e) {
        preparing.failed(BlockReads.failureOf(e));
      }
    }
  }
}
