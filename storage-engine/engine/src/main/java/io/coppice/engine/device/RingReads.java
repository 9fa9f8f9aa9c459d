package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A queue of reads on a [Ring]. What the ring has not read in full is read by a call, and only
/// what that says counts: so each failure is that of its own read.
///
/// A ring that fails itself is not used any more: what it had begun is waited for, the rest is read
/// by calls.
final class RingReads implements ReadQueue {

  private final Ring ring;
  private final Calls calls;
  private final @Nullable Piece[] pieces;
  private final int[] free;
  private final int[] prepared;
  private int freeCount;
  private int preparedCount;
  private boolean broken;

  /// The device without its ring.
  interface Calls {

    /// @throws DeviceException if it cannot be read in full
    void read(long offset, ByteBuffer into);

    /// Told of bytes that came without a call.
    void wasRead(long bytes);

    /// Told once, of a ring that cannot be used any more.
    void ringFailed(IOException reason);
  }

  RingReads(Ring ring, Calls calls) {
    this.ring = ring;
    this.calls = calls;
    pieces = new Piece[ring.capacity()];
    free = new int[pieces.length];
    prepared = new int[pieces.length];
    for (int i = 0; i < pieces.length; i++) {
      free[freeCount++] = i;
    }
  }

  @Override
  public int room() {
    return freeCount;
  }

  @Override
  public boolean isEmpty() {
    return freeCount == pieces.length;
  }

  @Override
  public boolean isUseful() {
    return !broken;
  }

  @Override
  public void add(Piece piece) {
    if (freeCount == 0) {
      throw new IllegalStateException(
          "expected at most %d reads at a time".formatted(pieces.length));
    }
    long address = LinuxCalls.address(piece.into()) - piece.into().position() + piece.start();
    int number = free[--freeCount];
    pieces[number] = piece;
    prepared[preparedCount++] = number;
    if (!broken) {
      ring.prepare(number, address, piece.length(), piece.offset());
    }
  }

  @Override
  public void await() {
    if (!broken && !isEmpty()) {
      try {
        keepLast(ring.enter());
      } catch (IOException e) {
        breakOff(e);
      }
      reap();
    }
    if (broken) {
      for (int i = 0; i < preparedCount; i++) {
        end(prepared[i], 0);
      }
      preparedCount = 0;
    }
  }

  /// Forgets the order of those that were begun.
  private void keepLast(int left) {
    System.arraycopy(prepared, preparedCount - left, prepared, 0, left);
    preparedCount = left;
  }

  /// Leaves the ring. The memory of what it has begun is the kernel's until it has ended, so there
  /// is nothing but to wait for that.
  private void breakOff(IOException reason) {
    broken = true;
    calls.ringFailed(reason);
    keepLast(ring.withdraw());
    reap();
    while (pieces.length - freeCount > preparedCount) {
      try {
        ring.enter();
      } catch (IOException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      reap();
    }
  }

  private void reap() {
    for (long ended = ring.poll(); ended != Ring.NONE; ended = ring.poll()) {
      end((int) (ended >>> 32), (int) ended);
    }
  }

  /// @param result bytes read, or below 0
  private void end(int number, int result) {
    Piece piece = pieces[number];
    if (piece == null) {
      return;
    }
    pieces[number] = null;
    free[freeCount++] = number;
    DeviceException failure = null;
    if (result == piece.length()) {
      calls.wasRead(result);
    } else {
      // What came of a piece with a bad place in it is read again with the rest of its block.
      failure =
          readRest(piece, Math.max(0, result) / BlockDevice.BLOCK_SIZE * BlockDevice.BLOCK_SIZE);
    }
    piece.ended(failure);
  }

  private @Nullable DeviceException readRest(Piece piece, int done) {
    try {
      calls.wasRead(done);
      calls.read(
          piece.offset() + done, piece.into().slice(piece.start() + done, piece.length() - done));
      return null;
    } catch (DeviceException e) {
      return e;
    }
  }

  @Override
  public void close() {
    while (!isEmpty()) {
      await();
    }
    ring.close();
  }
}
