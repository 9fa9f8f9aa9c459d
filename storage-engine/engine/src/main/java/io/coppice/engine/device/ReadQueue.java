package io.coppice.engine.device;

/// The reads that a device works on at the same time, each by a number. Any thread begins them
/// without waiting; one thread at a time hears of their ends.
///
/// A number belongs to one thread from the end of its last read on. From [#begin] until [#await]
/// has told the end of its read it belongs to this queue. So does the memory of the read.
public interface ReadQueue extends AutoCloseable {

  /// Number of reads: their numbers are from 0 on and below this.
  int capacity();

  /// Whether it begins reads now. If not, it still tells the ends of reads under way.
  default boolean isUseful() {
    return true;
  }

  /// Sets what a number is to read.
  ///
  /// @param offset in the device, a multiple of the block size
  /// @param address of the destination in memory, a multiple of the block size
  ///   ([AlignedBuffers#addressOf])
  /// @param length in bytes, a multiple of the block size
  void prepare(int number, long offset, long address, int length);

  /// Begins the reads of the first `count` numbers.
  ///
  /// @return how many were begun, from the first on: fewer if the system does not take the rest
  int begin(int[] numbers, int count);

  /// Waits until at least one read has ended, or [#wake] was called. Begun reads end in any order.
  ///
  /// @return how many have ended; 0 after [#wake]
  int await();

  /// The number of a read whose end the last [#await] has told.
  ///
  /// @param index below what it returned
  int number(int index);

  /// Whether that read has got all its bytes. If not, that says nothing of the device: the read may
  /// only have been unable to go on without waiting.
  boolean isWhole(int index);

  /// Ends an [#await], the one under way or the next one. Once, while nothing is under way.
  void wake();

  /// Closes the queue. Only when every read has ended and no thread waits.
  @Override
  void close();
}
