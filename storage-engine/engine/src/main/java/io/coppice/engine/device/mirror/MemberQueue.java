package io.coppice.engine.device.mirror;

import io.coppice.engine.device.ReadQueue;
import java.util.function.BooleanSupplier;

/// The queue of one device of a mirror. Once the device does not count any more, it begins no read
/// and takes no result: the caller asks the mirror again.
record MemberQueue(ReadQueue queue, BooleanSupplier counts) implements ReadQueue {

  @Override
  public int capacity() {
    return queue.capacity();
  }

  @Override
  public boolean isUseful() {
    return counts.getAsBoolean() && queue.isUseful();
  }

  @Override
  public void prepare(int number, long offset, long address, int length) {
    queue.prepare(number, offset, address, length);
  }

  @Override
  public int begin(int[] numbers, int count) {
    return counts.getAsBoolean() ? queue.begin(numbers, count) : 0;
  }

  @Override
  public int await() {
    return queue.await();
  }

  @Override
  public int number(int index) {
    return queue.number(index);
  }

  @Override
  public boolean isWhole(int index) {
    return counts.getAsBoolean() && queue.isWhole(index);
  }

  @Override
  public void wake() {
    queue.wake();
  }

  @Override
  public void close() {
    queue.close();
  }
}
