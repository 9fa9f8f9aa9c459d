package io.coppice.engine.device;

import java.util.function.BooleanSupplier;

/// The queue of one device of a mirror, which gains nothing any more once the device is left out.
record MemberQueue(ReadQueue queue, BooleanSupplier isIn) implements ReadQueue {

  @Override
  public int room() {
    return queue.room();
  }

  @Override
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public void add(Piece piece) {
    queue.add(piece);
  }

  @Override
  public void await() {
    queue.await();
  }

  @Override
  public boolean isUseful() {
    return isIn.getAsBoolean() && queue.isUseful();
  }

  @Override
  public void close() {
    queue.close();
  }
}
