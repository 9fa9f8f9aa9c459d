package io.coppice.engine.format;

/// A list of blocks that were written over, in bytes. Each run of it says where it begins in the
/// volume, how many blocks it has, and whether they were holes. Of blocks that were not, it says
/// which slots have them: the first of as many in order, and the hidden volume of these slots.
///
/// A run is two numbers, seven bits to a byte, the lowest first: the first block, and twice the
/// number of blocks, one more for holes. Two more follow if they were none: the number of the
/// hidden volume, and the first slot.
public final class OldBlocks {

  /// Most bytes of a run.
  public static final int MOST_RUN = 40;

  private static final long MOST_BLOCKS = 1L << 36;
  private static final long MOST_SLOT = 1L << 62;

  private OldBlocks() {}

  /// The receiver of runs.
  public interface Runs {
    void run(Run run);
  }

  /// A run of blocks of a volume.
  ///
  /// @param hidden the volume with the slots; 0 if they had no stored data
  /// @param slot the first of as many as there are blocks
  public record Run(long first, long blocks, int hidden, long slot) {

    /// A run of blocks without stored data.
    public static Run ofHoles(long first, long blocks) {
      return new Run(first, blocks, 0, 0);
    }

    public boolean isHole() {
      return hidden == 0;
    }

    /// A part of it.
    ///
    /// @param from its first block, counted from that of the run
    public Run part(long from, long count) {
      return new Run(first + from, count, hidden, isHole() ? 0 : slot + from);
    }
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
      if ((number[0] & 1) != 0) {
        runs.run(Run.ofHoles(first, blocks));
      } else {
        at = number(piece, at, number);
        long hidden = number[0];
        at = number(piece, at, number);
        if (hidden < 1 || hidden > Integer.MAX_VALUE || number[0] > MOST_SLOT) {
          throw new FormatException(
              "expected a slot of a hidden volume, found slot %d of volume %d"
                  .formatted(number[0], hidden));
        }
        runs.run(new Run(first, blocks, (int) hidden, number[0]));
      }
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
  public static int write(byte[] target, int at, Run run) {
    int end = number(target, at, run.first);
    if (run.isHole()) {
      return number(target, end, run.blocks << 1 | 1);
    }
    end = number(target, end, run.blocks << 1);
    return number(target, number(target, end, run.hidden), run.slot);
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
