package io.coppice.scsi.parameter;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The UNMAP parameter list (SBC-4 §5.31.2).
public sealed interface UnmapList {

  /// A list that we refuse.
  record Refused(SenseData sense) implements UnmapList {}

  /// The runs to unmap, in order. Runs of 0 blocks are kept: their LBA must be valid too.
  record Runs(List<Run> runs) implements UnmapList {
    public Runs {
      runs = List.copyOf(runs);
    }
  }

  /// An LBA above 2^63 - 1 is given as [Long#MAX_VALUE].
  record Run(long lba, long blocks) {}

  /// Most descriptors and blocks of one list.
  record Limits(int descriptors, long blocks) {}

  /// Decodes `remaining()` bytes.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static UnmapList decode(ByteBuffer list, int length, Limits limits) {
    if (length == 0) {
      return new Runs(List.of());
    }
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (available < 8) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    int descriptors = Math.min(Short.toUnsignedInt(from.getShort(2)), available - 8) / 16;
    if (descriptors > limits.descriptors()) {
      return new Refused(SenseData.invalidParameter(2));
    }
    List<Run> runs = new ArrayList<>(descriptors);
    long total = 0;
    for (int i = 0; i < descriptors; i++) {
      int at = 8 + 16 * i;
      long lba = from.getLong(at);
      long blocks = Integer.toUnsignedLong(from.getInt(at + 8));
      total += blocks;
      if (total > limits.blocks()) {
        return new Refused(SenseData.invalidParameter(at + 8));
      }
      runs.add(new Run(lba < 0 ? Long.MAX_VALUE : lba, blocks));
    }
    return new Runs(runs);
  }
}
