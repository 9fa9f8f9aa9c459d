package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The zeroing of several ranges of one volume, together. Adjoining ranges become one. The whole
/// blocks of all ranges are one command of the log. Its place in the order of overlapping I/Os is
/// taken once, from the first block to the last. Each ragged end, which is part of a block, is a
/// separate I/O.
///
/// *What a crash leaves:* the records of one command are in one batch, so either all whole blocks
/// are holes or none is. Beyond [#MOST_RUNS] runs, and in a volume with a journal, this holds for
/// each command by itself. A ragged end is either zeroed or not.
final class UnmapIo {

  /// Most runs of one command: their records take 8 KiB of a batch's header.
  static final int MOST_RUNS = 256;

  /// Most blocks of one command of a volume with a journal: 64 MiB.
  static final int MOST_KEPT = 1 << 14;

  private static final int BLOCK = PoolLayout.BLOCK;

  private UnmapIo() {}

  /// @param ranges each inside the volume, in any order; they may overlap or be empty
  /// @param zero zeroes one range that is part of a block
  static void start(
      OpenPool pool, VolumeState volume, List<ByteRange> ranges, Single zero, Completion whom) {
    List<RangeCommand.Run> whole = new ArrayList<>();
    List<ByteRange> ragged = new ArrayList<>();
    merged(ranges).forEach(range -> split(range, whole, ragged));
    Ends ends = new Ends(1 + ragged.size(), whom);
    if (whole.isEmpty()) {
      ends.succeeded();
    } else {
      volume.order().enter(new Io(pool, volume, whole, ends));
    }
    ragged.forEach(range -> zero.zero(range.offset(), range.length(), ends));
  }

  /// The runs of each command. The blocks of a volume with a journal are looked at one by one, so
  /// it gets a command for each 64 MiB.
  static List<List<RangeCommand.Run>> commands(VolumeState volume, List<RangeCommand.Run> runs) {
    List<List<RangeCommand.Run>> commands = new ArrayList<>();
    if (volume.timeline() == null) {
      for (int at = 0; at < runs.size(); at += MOST_RUNS) {
        commands.add(runs.subList(at, Math.min(runs.size(), at + MOST_RUNS)));
      }
      return commands;
    }
    for (RangeCommand.Run run : runs) {
      long end = run.first() + run.blocks();
      for (long at = run.first(); at < end; at += MOST_KEPT) {
        commands.add(List.of(new RangeCommand.Run(at, Math.min(MOST_KEPT, end - at))));
      }
    }
    return commands;
  }

  /// The operation that zeroes one range.
  interface Single {
    void zero(long offset, long length, Completion completion);
  }

  /// The same bytes in as few ranges as possible, ascending.
  private static List<ByteRange> merged(List<ByteRange> ranges) {
    List<ByteRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(ByteRange::offset));
    List<ByteRange> merged = new ArrayList<>();
    for (ByteRange next : sorted) {
      if (next.length() == 0) {
        continue;
      }
      if (!merged.isEmpty() && next.offset() <= merged.getLast().end()) {
        ByteRange last = merged.removeLast();
        long end = Math.max(last.end(), next.end());
        merged.add(new ByteRange(last.offset(), end - last.offset()));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }

  private static void split(ByteRange range, List<RangeCommand.Run> whole, List<ByteRange> ragged) {
    long first = (range.offset() + BLOCK - 1) / BLOCK;
    long last = range.end() / BLOCK;
    if (first > last) { // inside one block
      ragged.add(range);
      return;
    }
    if (first < last) {
      whole.add(new RangeCommand.Run(first, last - first));
    }
    if (range.offset() < first * BLOCK) {
      ragged.add(new ByteRange(range.offset(), first * BLOCK - range.offset()));
    }
    if (last * BLOCK < range.end()) {
      ragged.add(new ByteRange(last * BLOCK, range.end() - last * BLOCK));
    }
  }

  /// The I/O for the whole blocks of all ranges.
  private static final class Io extends RangedIo {
    private final List<RangeCommand.Run> runs;

    Io(OpenPool pool, VolumeState volume, List<RangeCommand.Run> runs, Completion whom) {
      super(pool, hull(volume, runs), false, whom);
      this.runs = runs;
    }

    private static Range hull(VolumeState volume, List<RangeCommand.Run> runs) {
      long first = runs.getFirst().first();
      RangeCommand.Run last = runs.getLast();
      return new Range(volume, first * BLOCK, (last.first() + last.blocks() - first) * BLOCK);
    }

    @Override
    void begin() {
      for (List<RangeCommand.Run> some : commands(volume(), runs)) {
        submit(part -> new RangeCommand(pool(), volume(), new RangeCommand.Kind.Unmap(some), part));
      }
    }
  }

  /// The common end of all parts. It tells the caller when all have ended.
  private static final class Ends implements Completion {
    private final AtomicInteger left;
    private final Completion whom;
    private volatile @Nullable StorageException failure;

    Ends(int count, Completion whom) {
      left = new AtomicInteger(count);
      this.whom = whom;
    }

    @Override
    public void succeeded() {
      if (left.decrementAndGet() == 0) {
        StorageException reason = failure;
        if (reason == null) {
          whom.succeeded();
        } else {
          whom.failed(reason);
        }
      }
    }

    @Override
    public void failed(StorageException reason) {
      failure = reason;
      succeeded();
    }
  }
}
