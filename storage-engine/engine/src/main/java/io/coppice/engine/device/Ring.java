package io.coppice.engine.device;

import java.io.IOException;

/// Reads of one file that the system works on at the same time. For the thread that opened it
/// alone.
///
/// Memory of a read that was begun belongs to the system until [#poll] has returned it, whatever
/// fails meanwhile.
interface Ring extends AutoCloseable {

  /// What [#poll] returns when nothing has ended.
  long NONE = Long.MIN_VALUE;

  /// Reads that it holds at most, prepared and begun ones together.
  int capacity();

  /// Prepares a read; [#enter] begins it.
  ///
  /// @param number of the read, which [#poll] returns
  /// @param address of the memory
  /// @param at place in the file, in bytes
  void prepare(int number, long address, int length, long at);

  /// Begins what was prepared and waits until at least one read has ended. To be called while there
  /// is one.
  ///
  /// @return how many were not begun yet, because of others that have ended: the last ones that
  ///   were prepared; the next call begins them
  /// @throws IOException what the system says; [#withdraw] then tells what was not begun
  int enter() throws IOException;

  /// Takes back what was prepared and not begun.
  ///
  /// @return how many: the last ones that were prepared
  int withdraw();

  /// A read that has ended: its number in the upper half; in the lower one bytes read, or what the
  /// system says, below 0. [#NONE] if there is none.
  long poll();

  /// To be called when everything that was begun has ended.
  @Override
  void close();
}
