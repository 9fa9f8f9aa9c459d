package io.coppice.engine;

/// The end of an I/O. Exactly one method is called, once, on any thread. It must not block.
public interface Completion {

  /// The I/O is done. If it changed the volume, the change is stable.
  void succeeded();

  /// The I/O failed. After [StorageException.DeviceFailed] a write may or may not have happened;
  /// after any other failure nothing has changed.
  void failed(StorageException failure);
}
