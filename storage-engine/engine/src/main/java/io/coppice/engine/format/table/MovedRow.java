package io.coppice.engine.format.table;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.util.Arrays;

/// The living blocks of a segment that have moved, and where they lie.
///
/// @param blocks bit i mod 64 of word i / 64: block i lives and has moved
/// @param places of these blocks, in their order
public record MovedRow(int segment, long[] blocks, long[] places) {

  static final int LEAST = 8;

  /// The receiver of moved blocks.
  public interface Receiver {
    void moved(int block, long place);
  }

  public void encode(ByteSink out) {
    BlockBits.encode(out.u32(segment), blocks);
    BlockBits.encodePlaces(out, places);
  }

  /// @param isShort whether the pool has the feature of short books
  /// @throws FormatException if it is not such a row
  static MovedRow decode(ByteSource in, boolean isShort) {
    int segment = in.u32();
    long[] blocks = isShort ? BlockBits.decode(in) : BlockBits.decodeBitmap(in);
    int count = Arrays.stream(blocks).mapToInt(Long::bitCount).sum();
    return new MovedRow(
        segment,
        blocks,
        isShort ? BlockBits.decodePlaces(in, count) : BlockBits.decodeDistances(in, count));
  }

  /// Shows the moved blocks, ascending.
  public void forEach(Receiver receiver) {
    int n = 0;
    for (int word = 0; word < blocks.length; word++) {
      for (long left = blocks[word]; left != 0; left &= left - 1) {
        receiver.moved(64 * word + Long.numberOfTrailingZeros(left), places[n++]);
      }
    }
  }
}
