package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PlacementBits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Numbers of placements beyond the first that the blocks of one segment have, in stretches of 256
/// blocks: as many bits for each as the largest number of its stretch takes, none where all have
/// equally many. Changed by the committer until a checkpoint has taken it, then never again.
public final class SegmentCounts {

  /// What there is no more of: one that has so many keeps them.
  ///
  /// Nobody gets there by copying: each placement is an entry of a stored leaf, of 4 bytes at
  /// least, and 2^63 of them are more than 2^31 zones of 64 MiB can hold. It is what bytes may say
  /// that no engine wrote, and a record that is stable has to be applied whatever is counted. A
  /// block that has so many is never freed, since nobody knows how many it has: that loses its
  /// space, and nothing else. The offline checker says where the number is not what the maps hold.
  static final long MOST = Long.MAX_VALUE;

  private final int segment;
  private final int generation;
  private long[] @Nullable [] stretches;
  private int counted;

  SegmentCounts(int segment, int generation) {
    this(segment, generation, new long[0][]);
  }

  private SegmentCounts(int segment, int generation, long[] @Nullable [] stretches) {
    this.segment = segment;
    this.generation = generation;
    this.stretches = stretches;
  }

  /// The id of the segment.
  public int segment() {
    return segment;
  }

  /// The number of cuts of checkpoints before it was made.
  int generation() {
    return generation;
  }

  /// One that may be changed after a cut, in as few bits as there can be.
  SegmentCounts copy(int now) {
    return copy(segment, now);
  }

  /// Likewise, of another segment.
  SegmentCounts copy(int id, int now) {
    SegmentCounts copy = new SegmentCounts(id, now, stretches.clone());
    Arrays.setAll(copy.stretches, i -> PlacementBits.narrowed(stretches[i]));
    copy.counted = counted;
    return copy;
  }

  /// Blocks with more than one placement.
  int counted() {
    return counted;
  }

  /// Blocks from which on there is none with more than one.
  int end() {
    return stretches.length * PlacementBits.STRETCH;
  }

  long of(int block) {
    int at = block / PlacementBits.STRETCH;
    return at < stretches.length
        ? PlacementBits.get(stretches[at], block % PlacementBits.STRETCH)
        : 0;
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
    int at = block / PlacementBits.STRETCH;
    if (at >= stretches.length) {
      stretches = Arrays.copyOf(stretches, at + 1);
    }
    stretches[at] = PlacementBits.with(stretches[at], block % PlacementBits.STRETCH, after);
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
    long bytes = 64 + 16 + 4L * stretches.length;
    for (long[] stretch : stretches) {
      bytes += stretch == null || stretch.length == 1 ? 0 : 16 + 8L * stretch.length;
    }
    return bytes;
  }

  /// Writes the row of the table of placements.
  public void encode(ByteSink out) {
    PlacementBits.encode(out.u32(segment), stretches);
  }

  /// Reads a row of the table of placements.
  ///
  /// @throws FormatException if it is not one
  public static SegmentCounts decode(ByteSource in) {
    SegmentCounts row = new SegmentCounts(in.u32(), 0, PlacementBits.decode(in));
    for (int block = 0; block < row.end(); block++) {
      row.counted += Long.signum(row.of(block));
    }
    return row;
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
