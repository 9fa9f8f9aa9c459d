package io.coppice.engine;

/// The end of an I/O. Exactly one of [#succeeded] and [#failed] is called, once, on any thread. It
/// must not block.
///
/// Before that, an I/O that had to wait for others may report so. Times are those of
/// [System#nanoTime]. An I/O waits from its begin on until [#leavesQueue]; one that never waited
/// reports nothing.
public interface Completion {

  /// Notes that the I/O waits for others from `at` on: what it did before was work of its own.
  default void entersQueue(long at) {}

  /// Notes that the I/O has waited for others until `at`: for an I/O that overlaps it, for a
  /// thread, for a batch of the log to begin, or for a place in the queue of a device.
  default void leavesQueue(long at) {}

  /// The I/O is done. If it changed the volume, the change is stable.
  void succeeded();

  /// The I/O failed. After [StorageException.DeviceFailed] a write may or may not have happened;
  /// after any other failure nothing has changed.
  void failed(StorageException failure);
}
