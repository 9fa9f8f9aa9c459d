package io.coppice.engine.io;

import io.coppice.engine.StorageException;

/// A data command, which reports to the I/O that it is a part of.
interface IoCommand {

  /// The part is stable and applied.
  void done();

  void failed(StorageException failure);

  /// As [io.coppice.engine.Completion#entersQueue], before it ends.
  default void entersQueue(long at) {}

  /// As [io.coppice.engine.Completion#leavesQueue], before it ends.
  default void leavesQueue(long at) {}
}
