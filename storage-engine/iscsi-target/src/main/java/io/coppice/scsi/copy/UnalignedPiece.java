package io.coppice.scsi.copy;

import io.coppice.engine.Volume;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;

/// A piece of a copy that does not begin or end with whole blocks: the blocks around it, before and
/// after the change. They are written by comparing, so that the bytes beside the piece are never
/// lost.
///
/// @param start of the first block, in bytes
/// @param skip bytes of the first block before the piece
/// @param bytes of the piece
record UnalignedPiece(long start, int skip, int bytes, ByteBuffer before, ByteBuffer after) {

  private static final int BLOCK = VolumeUnit.BLOCK_SIZE;
  private static final int MOST_BYTES = 128 << 10;

  /// The first piece of a range of the destination.
  ///
  /// @param length 1 or more
  static UnalignedPiece of(long offset, long length) {
    int skip = (int) (offset % BLOCK);
    int bytes = (int) Math.min(length, MOST_BYTES - skip);
    int window = roundUp(skip + bytes);
    return new UnalignedPiece(
        offset - skip, skip, bytes, ByteBuffer.allocate(window), ByteBuffer.allocate(window));
  }

  private static int roundUp(int bytes) {
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
  }

  /// Reads both volumes; may block.
  ///
  /// @throws io.coppice.engine.StorageException if a read fails
  void merge(Volume source, long sourceOffset, Volume destination) {
    int shift = (int) (sourceOffset % BLOCK);
    ByteBuffer data = ByteBuffer.allocate(roundUp(shift + bytes));
    source.read(sourceOffset - shift, data);
    destination.read(start, before);
    before.clear();
    after.put(0, before, 0, before.limit());
    after.put(skip, data, shift, bytes);
  }
}
