package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many placements a block has, for the blocks that have two or more: those that were copied by
/// pointer or written many times at once. A block that is not here has one. Committer only.
public final class PlacementCounts {

  private final TreeMap<Integer, SegmentCounts> segments = new TreeMap<>();
  private int lastId;
  private @Nullable SegmentCounts last; // of segment lastId
  private int size;

  /// Blocks with two or more placements.
  public int size() {
    return size;
  }

  /// Placements of `address`: 1 unless counted.
  public int of(long address) {
    SegmentCounts counts = countsOf(BlockAddress.segment(address));
    return counts == null ? 1 : 1 + counts.of(BlockAddress.block(address));
  }

  /// Adds `more` placements.
  public void add(long address, int more) {
    int segment = BlockAddress.segment(address);
    SegmentCounts counts = countsOf(segment);
    if (counts == null) {
      counts = new SegmentCounts();
      segments.put(segment, counts);
      lastId = segment;
      last = counts;
    }
    change(counts, address, more);
  }

  private void change(SegmentCounts counts, long address, int more) {
    int before = counts.counted();
    counts.add(BlockAddress.block(address), more);
    size += counts.counted() - before;
  }

  /// Takes one placement away.
  ///
  /// @return whether that was the last one
  public boolean remove(long address) {
    int segment = BlockAddress.segment(address);
    SegmentCounts counts = countsOf(segment);
    if (counts == null || counts.of(BlockAddress.block(address)) == 0) {
      return true;
    }
    change(counts, address, -1);
    if (counts.counted() == 0) {
      segments.remove(segment);
      last = null;
    }
    return false;
  }

  private @Nullable SegmentCounts countsOf(int segment) {
    if (size == 0) {
      return null;
    }
    if (last == null || lastId != segment) {
      last = segments.get(segment);
      lastId = segment;
    }
    return last;
  }

  /// The counted blocks, ascending, in as few runs as there can be.
  public List<PlacementRun> runs() {
    List<PlacementRun> runs = new ArrayList<>();
    segments.forEach(
        (segment, counts) -> {
          int end;
          for (int block = 0; block < counts.end(); block = end) {
            end = counts.runEnd(block);
            int more = counts.of(block);
            if (more > 0) {
              long first = BlockAddress.of(segment, block, 1);
              runs.add(new PlacementRun(first, end - block, 1 + more));
            }
          }
        });
    return runs;
  }

  /// Counts the blocks of a run, of which none may be counted yet.
  public void restore(PlacementRun run) {
    int segment = BlockAddress.segment(run.first());
    int block = BlockAddress.block(run.first());
    for (int i = 0; i < run.blocks(); i++) {
      add(BlockAddress.of(segment, block + i, 1), run.placements() - 1);
    }
  }
}
