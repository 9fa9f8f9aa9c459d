package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import java.util.Arrays;

/// The entries of a leaf as of one moment, for one reader.
public final class LeafEntries {

  final long[] addresses = new long[Geometry.FANOUT];
  final int[] crcs = new int[Geometry.FANOUT];
  final int[] born = new int[Geometry.FANOUT];

  /// Address of an entry, 0 for a hole.
  public long address(int index) {
    return addresses[index];
  }

  /// CRC32C of an entry's block.
  public int crc(int index) {
    return crcs[index];
  }

  /// Version in which an entry was born.
  public int born(int index) {
    return born[index];
  }

  void take(NodeImage image) {
    clear();
    for (int i = 0; i < image.indexes().length; i++) {
      int index = image.indexes()[i];
      addresses[index] = image.addresses()[i];
      crcs[index] = image.crcs()[i];
      born[index] = image.third()[i];
    }
  }

  void clear() {
    Arrays.fill(addresses, BlockAddress.NONE);
  }
}
