package io.coppice.vasa.diagnosis;

/// The causes of latency that a diagnosis tells apart.
public enum LatencyCause {
  /// Nothing was read or written.
  IDLE,
  /// Commands are not slow.
  NONE,
  /// A limit of the volume, or of its machine, holds commands back.
  LIMIT,
  /// The way to the initiator takes longest.
  NETWORK,
  /// Other volumes take the array's time.
  NEIGHBOUR,
  /// The array moves data to make free space, and hosts wait for it.
  CLEANER,
  /// Its own commands wait for each other.
  QUEUE,
  /// The device is slow.
  DEVICE
}
