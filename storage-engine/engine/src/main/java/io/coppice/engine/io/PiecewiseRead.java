package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.thread.Errors;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A read of whole blocks that are mapped. It reads each piece of the device by itself, and many
/// pieces, also of other reads, are under way together. One object serves one read after another,
/// from [#aim] to [#end], [#runHere] or [#refuse].
///
/// It does not examine a bad piece. The caller reads everything again, and then finds the bad
/// block, takes it from another device that holds it, or names it.
final class PiecewiseRead {

  static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

  /// The owner of the read.
  interface Owner {

    /// Reads everything in the calling thread, which may block, and ends the read.
    void readHere();

    /// The read has waited until that time of [System#nanoTime] for a place in a queue.
    void leavesQueue(long at);

    /// The read has ended, and the mapping is closed.
    ///
    /// @param failure null if everything was read and verified
    void ended(@Nullable StorageException failure);
  }

  /// Most blocks of a piece. No device has to split such a read, and none can split a read without
  /// waiting.
  private static final int MOST_BLOCKS = 16;

  static final int MOST_BYTES = MOST_BLOCKS * PoolLayout.BLOCK;

  private final BlockReads.Mapping mapping;
  private final Owner owner;
  private ByteBuffer into = NO_BYTES;
  private boolean aligned;
  private long address; // of byte 0 of the buffer, if aligned
  private int start;
  private int blocks;
  private int next; // guarded by who cuts it
  private int left; // guarded by who cuts it
  private boolean whole;

  /// @param mapping closed by this where this reads
  PiecewiseRead(BlockReads.Mapping mapping, Owner owner) {
    this.mapping = mapping;
    this.owner = owner;
  }

  /// Sets the read: everything in the mapping, which is open. Holes are filled at once.
  ///
  /// @param buffer for which [#fits] holds
  PiecewiseRead aim(ByteBuffer buffer) {
    into = buffer;
    aligned = AlignedBuffers.isAligned(buffer);
    address = aligned ? AlignedBuffers.addressOf(buffer, 0) : 0;
    start = buffer.position();
    blocks = buffer.remaining() / PoolLayout.BLOCK;
    left = 0;
    whole = true;
    for (int i = 0; i < blocks; i += runAt(i)) {
      if (mapping.isHoleAt(i)) {
        int length = runAt(i) * PoolLayout.BLOCK;
        ZeroDetection.zero(into.slice(placeOf(i), length), length);
      } else {
        left++;
      }
    }
    next = afterHole(0);
    return this;
  }

  private int runAt(int index) {
    return mapping.runAt(
        index, mapping.isHoleAt(index) ? blocks : Math.min(blocks, index + MOST_BLOCKS));
  }

  private int afterHole(int index) {
    return index < blocks && mapping.isHoleAt(index) ? index + runAt(index) : index;
  }

  /// The place of a block in the buffer.
  private int placeOf(int index) {
    return start + index * PoolLayout.BLOCK;
  }

  /// Forgets the buffer.
  void letGo() {
    into = NO_BYTES;
  }

  /// Whether such a read is possible: it must be of whole blocks. Memory that the device does not
  /// take as it is costs a copy.
  ///
  /// @param offset in the volume
  static boolean fits(long offset, ByteBuffer into) {
    return (offset | into.remaining()) % PoolLayout.BLOCK == 0;
  }

  /// Makes `piece` read the next piece.
  ///
  /// @return whether it was the last one
  boolean cut(Piece piece) {
    int run = runAt(next);
    piece.aim(this, next, run);
    next = afterHole(next + run);
    return next == blocks;
  }

  /// Notes until when the read has waited for a number.
  void leavesQueue(long at) {
    owner.leavesQueue(at);
  }

  /// Whether all pieces have arrived and are what was written.
  boolean isWhole() {
    return whole;
  }

  /// Makes [#runHere] read one of several devices that hold the same.
  void readFrom(BlockDevice place) {
    mapping.readFrom(place);
  }

  void runHere() {
    owner.readHere();
  }

  /// Ends the read without having read anything.
  void refuse(StorageException reason) {
    mapping.close();
    owner.ended(reason);
  }

  /// Ends the read, if it [#isWhole].
  void end() {
    mapping.close();
    into.position(placeOf(blocks));
    owner.ended(null);
  }

  /// The blocks that are one piece on the device. One object serves one read after another, each
  /// time by [#aim], [#prepare], [#ended], [#release].
  static final class Piece {

    private final int number;
    private final ByteBuffer bounce; // where the device does not take the reader's
    private int index;
    private int run;
    private volatile @Nullable PiecewiseRead read; // written last, read first: publishes the others

    /// @param number in a queue
    /// @param bounce fit for the device, [#MOST_BYTES] long
    Piece(int number, ByteBuffer bounce) {
      this.number = number;
      this.bounce = bounce;
    }

    private void aim(PiecewiseRead of, int newIndex, int newRun) {
      index = newIndex;
      run = newRun;
      read = of;
    }

    private PiecewiseRead read() {
      return Objects.requireNonNull(read, "the read of a piece that is not under way");
    }

    void prepare(ReadQueue queue) {
      PiecewiseRead of = read();
      int length = run * PoolLayout.BLOCK;
      long offset = of.mapping.placeOf(index);
      if (of.aligned) {
        queue.prepare(number, offset, of.address + of.placeOf(index), length);
      } else {
        queue.prepare(number, offset, AlignedBuffers.addressOf(bounce, 0), length);
      }
    }

    /// Examines the bytes that arrived.
    ///
    /// @param came whether all of them are there
    void ended(boolean came) {
      PiecewiseRead of = read();
      boolean good = false;
      try {
        good = came && verify(of);
      } catch (RuntimeException | Error e) { // as if it had not come: all of it is read again
        Errors.report(e);
      }
      if (!good) {
        of.whole = false;
      }
    }

    private boolean verify(PiecewiseRead of) {
      if (of.aligned) {
        return of.mapping.isAsWritten(index, run, of.into, of.placeOf(index));
      }
      of.into.put(of.placeOf(index), bounce, 0, run * PoolLayout.BLOCK);
      return of.mapping.isAsWritten(index, run, bounce, 0);
    }

    /// @return the read, if this was the last of its pieces
    @Nullable PiecewiseRead release() {
      PiecewiseRead of = read();
      read = null;
      return --of.left == 0 ? of : null;
    }
  }
}
