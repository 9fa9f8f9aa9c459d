package io.coppice.engine.range;

import java.util.BitSet;

/// One bit per chunk of a volume's segment; bit 0 is the segment's first chunk.
///
/// @param chunkCount chunks in the segment; the last one may be shorter than the others
/// @param set a private copy: bit set = the property asked for holds for some byte of the chunk
public record ChunkBitmap(int chunkCount, BitSet set) {

  public ChunkBitmap {
    set = (BitSet) set.clone();
    if (set.length() > chunkCount) {
      throw new IllegalArgumentException(
          "expected at most %d bits, got %d".formatted(chunkCount, set.length()));
    }
  }

  @Override
  public BitSet set() {
    return (BitSet) set.clone();
  }
}
