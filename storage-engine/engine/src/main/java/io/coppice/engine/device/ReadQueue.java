package io.coppice.engine.device;

/// Reads that a device works on at the same time, each by a number. Any thread begins them, and
/// waits for nothing by that; one thread at a time hears of their ends.
///
/// A number belongs to one thread from the end of its last read on, and to this from [#begin] until
/// [#await] has told the end of its read; so does the memory of the read.
public interface ReadQueue extends AutoCloseable {

  /// Numbers are from 0 on and below this.
  int capacity();

  /// Whether it begins reads now. If not, it tells the ends of what is under way all the same.
  default boolean isUseful() {
    return true;
  }

  /// Says what a number is to read.
  ///
  /// @param offset in the device, a multiple of the block size
  /// @param address of the memory that it goes to, a multiple of the block size
  ///   ([AlignedBuffers#addressOf])
  /// @param length in bytes, a multiple of the block size
  void prepare(int number, long offset, long address, int length);

  /// Begins the reads of the first `count` numbers.
  ///
  /// @return how many of them were begun, the first ones: fewer if the system does not take the
  ///   others
  int begin(int[] numbers, int count);

  /// Waits until at least one read has ended, or [#wake] was called. Begun reads end in any order.
  ///
  /// @return how many have ended; 0 after [#wake]
  int await();

  /// The number of a read whose end the last [#await] has told.
  ///
  /// @param index below what it returned
  int number(int index);

  /// Whether that read has got all that it was to read. One that has not says nothing of the
  /// device: it may only have been unable to do so without waiting.
  boolean isWhole(int index);

  /// Ends an [#await], the one under way or the next one. Once, while nothing is under way.
  void wake();

  /// To be called when every read has ended and nobody waits any more.
  @Override
  void close();
}
