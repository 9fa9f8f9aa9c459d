package io.coppice.engine.io;

import io.coppice.engine.StorageException;

/// The I/O that a command of the log belongs to. The command reports its end here.
interface IoCommand {

  /// The part is stable and applied.
  void done();

  void failed(StorageException failure);

  /// As [io.coppice.engine.Completion#entersQueue], before it ends.
  default void entersQueue(long at) {}

  /// As [io.coppice.engine.Completion#leavesQueue], before it ends.
  default void leavesQueue(long at) {}
}
