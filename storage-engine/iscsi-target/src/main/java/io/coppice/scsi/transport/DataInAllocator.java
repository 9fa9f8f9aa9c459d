package io.coppice.scsi.transport;

import java.nio.ByteBuffer;

/// The source of memory for the data that a command sends to the initiator. Belongs to the
/// transport, which takes the memory back when the response has gone out or was dropped.
@FunctionalInterface
public interface DataInAllocator {

  /// A direct big-endian buffer with position 0 and `length` bytes. At most one call per command.
  ///
  /// @throws DataInRefusedException if there is no memory now
  ByteBuffer allocate(int length);
}
