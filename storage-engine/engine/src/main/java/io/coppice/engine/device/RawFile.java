package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// An open file, read and written at any place by any number of threads. A failed call throws the
/// system's message.
interface RawFile extends AutoCloseable {

  /// Reads once from `at` into the rest of the buffer and advances it.
  ///
  /// @return bytes read, 0 or less at the end of the file
  int read(ByteBuffer into, long at) throws IOException;

  /// Writes once, from `at` on, the rest of some of the buffers, at least one byte, and advances
  /// them.
  ///
  /// @return bytes written
  long write(List<ByteBuffer> from, long at) throws IOException;

  void force() throws IOException;

  /// The certainty that a write finds its place.
  default AllocationState backing(long at, long length) throws IOException {
    return AllocationState.UNKNOWN;
  }

  /// Gives bytes their place.
  ///
  /// @return false if the system or the file system has no such thing
  /// @throws NoSpaceException if there is no place for all of them
  default boolean allocate(long at, long length) throws IOException {
    return false;
  }

  /// Reads that the system works on at the same time. The file stays open until the queue is closed
  /// too.
  ///
  /// @param reads how many
  /// @param read counts bytes
  /// @throws IOException if the system has no such thing, or does not allow it
  default ReadQueue readQueue(int reads, LongAdder read) throws IOException {
    throw new IOException("not on this system");
  }

  @Override
  void close() throws IOException;
}
