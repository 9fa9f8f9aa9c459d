package io.coppice.engine.format;

/// A list of blocks that were written over, in bytes. Each run of it says where it begins in the
/// volume, how many blocks it has, and whether they were holes. Blocks that were not take the next
/// slots of their journal, in order.
///
/// A run is two numbers, seven bits to a byte, the lowest first: the first block, and twice the
/// number of blocks, one more for holes.
public final class OldBlocks {

  /// Most bytes of a run.
  public static final int MOST_RUN = 20;

  private static final long MOST_BLOCKS = 1L << 36;

  private OldBlocks() {}

  /// The receiver of runs.
  public interface Runs {
    /// @param hole whether they had no stored data; else they take as many slots
    void run(long first, long blocks, boolean hole);
  }

  /// Shows the runs of a whole list.
  ///
  /// @throws FormatException if the bytes are none
  public static void read(byte[] list, Runs runs) {
    read(list, true, runs);
  }

  /// Shows the runs of a piece of a list that begins with one.
  ///
  /// @param last whether the list ends with the piece; else a run may be cut at its end
  /// @return the bytes that were read
  /// @throws FormatException if the bytes are none
  public static int read(byte[] piece, boolean last, Runs runs) {
    int at = 0;
    long[] number = new long[1];
    while (last ? at < piece.length : piece.length - at >= MOST_RUN) {
      at = number(piece, at, number);
      long first = number[0];
      at = number(piece, at, number);
      long blocks = number[0] >>> 1;
      if (first >= MOST_BLOCKS || blocks < 1 || blocks > MOST_BLOCKS - first) {
        throw new FormatException(
            "expected a run of blocks of a volume, found %d from %d on".formatted(blocks, first));
      }
      runs.run(first, blocks, (number[0] & 1) != 0);
    }
    return at;
  }

  private static int number(byte[] list, int from, long[] into) {
    long value = 0;
    int shift = 0;
    for (int at = from; at < list.length && shift < 63; at++, shift += 7) {
      value |= (long) (list[at] & 0x7F) << shift;
      if (list[at] >= 0) {
        into[0] = value;
        return at + 1;
      }
    }
    throw new FormatException("expected a number in a list of blocks, found its end");
  }

  /// Puts a run into `target`, which has room for it.
  ///
  /// @return the end
  public static int write(byte[] target, int at, long first, long blocks, boolean hole) {
    return number(target, number(target, at, first), blocks << 1 | (hole ? 1 : 0));
  }

  private static int number(byte[] target, int from, long value) {
    int at = from;
    long rest = value;
    while (rest >= 0x80) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    return at;
  }
}
