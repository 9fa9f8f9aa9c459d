package io.coppice.engine.device.mirror;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.BlockVerifier;
import io.coppice.engine.device.BlockVerifier.Verdict;
import io.coppice.engine.device.DeviceException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A piece of one device that is copied to another, block by block. A right block goes to both. A
/// wrong one never goes to the other device. If neither is right, each stays as it is. One thread;
/// one object serves one piece after another.
public final class ResilverPiece {

  private static final Logger LOGGER = System.getLogger(ResilverPiece.class.getName());

  private final ByteBuffer bytes;
  private final ByteBuffer other = AlignedBuffers.allocate(BlockDevice.BLOCK_SIZE);
  private final int blocks;
  private final BitSet left = new BitSet();
  private final BitSet mended = new BitSet();
  private final BitSet lost = new BitSet();

  /// @param length in bytes, a multiple of the block size
  public ResilverPiece(int length) {
    bytes = AlignedBuffers.allocate(length);
    blocks = length / BlockDevice.BLOCK_SIZE;
  }

  /// The length in bytes.
  public int length() {
    return bytes.capacity();
  }

  /// Blocks of the last piece that are wrong on both devices.
  public BitSet lost() {
    return lost;
  }

  /// Copies a piece; it is stable after the next sync of the device.
  ///
  /// @throws DeviceException if `to` cannot be written
  void copy(BlockDevice from, BlockDevice to, long offset, BlockVerifier judge) {
    left.clear();
    mended.clear();
    lost.clear();
    boolean whole = reads(from, offset, bytes.clear());
    for (int i = 0; i < blocks; i++) {
      boolean readable = whole || reads(from, offset(offset, i), block(i));
      choose(i, judge, readable, to, offset);
    }
    write(to, offset);
  }

  /// Writes the blocks that only the other device had.
  void mend(BlockDevice from, long offset) {
    mended.stream().forEach(i -> mend(from, offset(offset, i), i));
  }

  private void choose(int i, BlockVerifier judge, boolean readable, BlockDevice to, long offset) {
    Verdict here = judge.of(i, readable ? block(i) : null);
    if (here == Verdict.RIGHT || (here == Verdict.UNTOLD && readable)) {
      return;
    }
    if (here == Verdict.WRONG && judge.of(i, readOther(to, offset(offset, i))) == Verdict.RIGHT) {
      bytes.put(i * BlockDevice.BLOCK_SIZE, other, 0, BlockDevice.BLOCK_SIZE);
      mended.set(i);
      return;
    }
    left.set(i);
    lost.set(i, here == Verdict.WRONG);
  }

  private @Nullable ByteBuffer readOther(BlockDevice to, long offset) {
    return reads(to, offset, other.clear()) ? other.clear() : null;
  }

  private static boolean reads(BlockDevice device, long offset, ByteBuffer into) {
    try {
      device.read(offset, into);
      return true;
    } catch (DeviceException e) {
      return false;
    }
  }

  private void write(BlockDevice to, long offset) {
    for (int i = left.nextClearBit(0); i < blocks; i = left.nextClearBit(i)) {
      int next = left.nextSetBit(i);
      int end = next < 0 ? blocks : next;
      ByteBuffer run = bytes.slice(i * BlockDevice.BLOCK_SIZE, (end - i) * BlockDevice.BLOCK_SIZE);
      to.write(offset(offset, i), List.of(run));
      i = end;
    }
  }

  /// A failure costs nothing: the content there was wrong before, and is right on the other device.
  private void mend(BlockDevice from, long offset, int i) {
    try {
      from.writeStable(offset, List.of(block(i)));
    } catch (DeviceException e) {
      LOGGER.log(Level.WARNING, "A damaged block could not be written anew: {0}", e.getMessage());
    }
  }

  private ByteBuffer block(int i) {
    return bytes.slice(i * BlockDevice.BLOCK_SIZE, BlockDevice.BLOCK_SIZE);
  }

  private static long offset(long offset, int block) {
    return offset + (long) block * BlockDevice.BLOCK_SIZE;
  }
}
