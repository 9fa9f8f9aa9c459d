package io.coppice.engine.io;

import io.coppice.engine.StorageException;

/// A data command, which reports to the I/O that it is a part of.
interface IoCommand {

  /// The part is stable and applied.
  void done();

  void failed(StorageException failure);
}
