package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PlacementBits;
import io.coppice.engine.format.table.PlacementRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The numbers of placements beyond the first of the blocks of one segment, in groups of 256
/// blocks. Each number takes as many bits as the largest of its group, and none if all are equal.
/// Changed by the committer until a checkpoint has taken it, then never again.
public final class SegmentCounts {

  /// The largest number of placements. A block that has so many keeps them.
  ///
  /// Copying never gets there: each placement is an entry of a stored leaf, of 4 bytes at least,
  /// and 2^63 of them are more than 2^31 zones of 64 MiB can hold. Bytes that no engine wrote may
  /// say so, and a stable record has to be applied whatever is counted. Such a block is never
  /// freed, since its true number is unknown: that loses its space, and nothing else. The offline
  /// checker reports where the number differs from the maps.
  static final long MOST = Long.MAX_VALUE;

  private final int segment;
  private final int generation;
  private long[] @Nullable [] groups;
  private int counted;

  SegmentCounts(int segment, int generation) {
    this(segment, generation, new long[0][]);
  }

  private SegmentCounts(int segment, int generation, long[] @Nullable [] groups) {
    this.segment = segment;
    this.generation = generation;
    this.groups = groups;
  }

  /// The id of the segment.
  public int segment() {
    return segment;
  }

  /// The number of cuts of checkpoints before these counts were made.
  int generation() {
    return generation;
  }

  /// A copy that may be changed after a cut, in as few bits as possible.
  SegmentCounts copy(int now) {
    return copy(segment, now);
  }

  /// A copy for another segment that may be changed after a cut, in as few bits as possible.
  SegmentCounts copy(int id, int now) {
    SegmentCounts copy = new SegmentCounts(id, now, groups.clone());
    Arrays.setAll(copy.groups, i -> PlacementBits.narrowed(groups[i]));
    copy.counted = counted;
    return copy;
  }

  /// Number of blocks with more than one placement.
  int counted() {
    return counted;
  }

  /// The block from which on none has more than one placement.
  int end() {
    return groups.length * PlacementBits.GROUP;
  }

  long of(int block) {
    int at = block / PlacementBits.GROUP;
    return at < groups.length ? PlacementBits.get(groups[at], block % PlacementBits.GROUP) : 0;
  }

  /// @return how many are counted, up to [#MOST]
  /// @throws IllegalArgumentException if there would be less than none
  long add(int block, long more) {
    long before = of(block);
    if (before == MOST) {
      return MOST;
    }
    long after = more > MOST - before ? MOST : before + more;
    if (after < 0) {
      throw new IllegalArgumentException(
          "expected at least %d placements of block %d, found %d".formatted(-more, block, before));
    }
    counted += Long.signum(after) - Long.signum(before);
    int at = block / PlacementBits.GROUP;
    if (at >= groups.length) {
      groups = Arrays.copyOf(groups, at + 1);
    }
    groups[at] = PlacementBits.with(groups[at], block % PlacementBits.GROUP, after);
    return after;
  }

  /// Shows the blocks with more than one placement.
  void forEach(PlacementCounts.Counted counted) {
    for (int block = 0; block < end(); block++) {
      long further = of(block);
      if (further > 0) {
        counted.block(BlockAddress.of(segment, block, 1), further);
      }
    }
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    long bytes = 64 + 16 + 4L * groups.length;
    for (long[] group : groups) {
      bytes += group == null || group.length == 1 ? 0 : 16 + 8L * group.length;
    }
    return bytes;
  }

  /// The row of the table of placements. It shares the numbers: use it only after the cut.
  public PlacementRow row() {
    return new PlacementRow(segment, groups);
  }

  /// The counts of a row, whose numbers they take over.
  public static SegmentCounts of(PlacementRow row) {
    SegmentCounts counts = new SegmentCounts(row.segment(), 0, row.groups());
    for (int block = 0; block < counts.end(); block++) {
      counts.counted += Long.signum(counts.of(block));
    }
    return counts;
  }

  /// @param blocks of a zone
  /// @throws FormatException if there are others, or none of them is counted
  public void check(int blocks) {
    for (int block = blocks; block < end(); block++) {
      if (of(block) > 0) {
        throw new FormatException(
            "expected placements of %d blocks of segment %d, found block %d"
                .formatted(blocks, segment, block));
      }
    }
    if (counted == 0) {
      throw new FormatException(
          "expected blocks of segment %d with 2 placements or more, found none".formatted(segment));
    }
  }
}
