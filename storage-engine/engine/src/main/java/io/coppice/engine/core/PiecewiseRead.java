package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A read of whole blocks that are mapped, each piece of the device by itself: many pieces, also of
/// other reads, are under way together. For one thread at a time, and for one read after the other:
/// from [#aim] to [#end] or [#runHere].
final class PiecewiseRead {

  /// Whose read it is.
  interface Owner {

    /// Does it all in the calling thread, which may block, and ends it.
    void readHere();

    /// It has ended, and the mapping is closed.
    ///
    /// @param failure null if all of it was read and verified
    void ended(@Nullable StorageException failure);
  }

  /// Blocks of a piece that goes through memory of its own.
  private static final int BOUNCED = 16;

  private final BlockReads.Mapping mapping;
  private final Owner owner;
  private ByteBuffer into = RangedIo.NO_BYTES;
  private boolean aligned;
  private int start;
  private int blocks;
  private int next;
  private int underWay;
  private int failedAt = Integer.MAX_VALUE;
  private @Nullable StorageException failure;

  /// @param mapping closed by this where this reads
  PiecewiseRead(BlockReads.Mapping mapping, Owner owner) {
    this.mapping = mapping;
    this.owner = owner;
  }

  /// To be read now: all that the mapping, which is open, has.
  ///
  /// @param buffer for which [#fits] holds
  PiecewiseRead aim(ByteBuffer buffer) {
    into = buffer;
    aligned = AlignedBuffers.isAligned(buffer);
    start = buffer.position();
    blocks = buffer.remaining() / PoolLayout.BLOCK;
    next = 0;
    failedAt = Integer.MAX_VALUE;
    failure = null;
    return this;
  }

  /// Forgets the buffer.
  void letGo() {
    into = RangedIo.NO_BYTES;
  }

  /// Whether a read can be done so: of whole blocks. Memory that the device does not take as it is
  /// costs a copy.
  ///
  /// @param offset in the volume
  static boolean fits(long offset, ByteBuffer into) {
    return (offset | into.remaining()) % PoolLayout.BLOCK == 0;
  }

  boolean isOnePiece() {
    return mapping.pieces() == 1;
  }

  void runHere() {
    owner.readHere();
  }

  /// Ends it without having read anything.
  void refuse(StorageException reason) {
    failed(0, reason);
    end();
  }

  /// Gives pieces to a queue as long as it has room.
  ///
  /// @param spare pieces to be used again
  /// @return whether it has them all
  boolean feed(ReadQueue queue, ArrayDeque<Piece> spare) {
    while (next < blocks) {
      boolean isHole = mapping.isHoleAt(next);
      int run = mapping.runAt(next, isHole || aligned ? blocks : Math.min(blocks, next + BOUNCED));
      int at = start + next * PoolLayout.BLOCK;
      if (isHole) {
        BlockReads.zero(into.slice(at, run * PoolLayout.BLOCK), run * PoolLayout.BLOCK);
      } else if (queue.room() == 0) {
        return false;
      } else {
        give(queue, spare, run, at);
      }
      next += run;
    }
    return true;
  }

  private void give(ReadQueue queue, ArrayDeque<Piece> spare, int run, int at) {
    long offset;
    try {
      offset = mapping.placeOf(next);
    } catch (StorageException e) {
      failed(next, e);
      return;
    }
    Piece piece = spare.poll();
    if (piece == null) {
      piece = new Piece(spare);
    }
    piece.aim(this, next, run, offset, at);
    queue.add(piece);
    underWay++;
  }

  /// Whether nothing of it is left to do but [#end].
  boolean isOver() {
    return next == blocks && underWay == 0;
  }

  void end() {
    mapping.close();
    StorageException met = failure;
    if (met == null) {
      into.position(start + blocks * PoolLayout.BLOCK);
    }
    owner.ended(met);
  }

  /// The first of its failures by place is the one that counts.
  private void failed(int index, StorageException reason) {
    if (index < failedAt) {
      failedAt = index;
      failure = reason;
    }
  }

  /// Blocks that are one piece on the device.
  static final class Piece extends ReadQueue.Piece {

    private final ArrayDeque<Piece> spare;
    private @Nullable PiecewiseRead read;
    private @Nullable ByteBuffer bounce;
    private int at;
    private int index;
    private int run;

    private Piece(ArrayDeque<Piece> spare) {
      this.spare = spare;
    }

    private void aim(PiecewiseRead read, int index, int run, long offset, int at) {
      this.read = read;
      this.index = index;
      this.run = run;
      this.at = at;
      int length = run * PoolLayout.BLOCK;
      if (read.aligned) {
        set(offset, read.into, at, length);
      } else {
        set(offset, bounce(length), 0, length);
      }
    }

    private ByteBuffer bounce(int length) {
      ByteBuffer buffer = bounce;
      if (buffer == null || buffer.capacity() < length) {
        buffer = AlignedBuffers.allocate(length);
        bounce = buffer;
      }
      return buffer;
    }

    @Override
    public void ended(@Nullable DeviceException problem) {
      PiecewiseRead of = read;
      if (of == null) {
        throw new IllegalStateException("expected a piece to end once");
      }
      read = null;
      of.underWay--;
      try {
        if (problem != null) {
          of.mapping.readOther(index, run, into(), start(), problem);
        } else {
          of.mapping.verify(index, run, into(), start());
        }
        if (!of.aligned) {
          of.into.put(at, into(), 0, length());
        }
      } catch (RuntimeException | Error e) {
        of.failed(index, BlockReads.failureOf(e));
      }
      spare.push(this);
    }
  }
}
