package io.coppice.vasa.volume;

/// The state of a virtual volume.
public enum VvolState {
  /// Being made. Only the operation that makes it may touch it.
  CREATING,
  /// A snapshot that has its id but is not taken yet: nothing of it is in the pool.
  PREPARED,
  /// In the pool.
  READY,
  /// In the pool and in the recycle bin. For everybody but the bin it does not exist.
  BINNED,
  /// In the pool, and out of use: cycles of replication alone write it, and for everybody else it
  /// does not exist. The row stays for the day on which the volume comes back into use.
  CARRIER
}
