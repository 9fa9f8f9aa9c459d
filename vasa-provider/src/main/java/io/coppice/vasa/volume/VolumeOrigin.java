package io.coppice.vasa.volume;

/// Who asked for a virtual volume. Searches of hosts show snapshots only if a host asked for them:
/// the others are the array's, not the virtual machine's.
public enum VolumeOrigin {
  /// A host or vCenter.
  HOST,
  /// The array's snapshot schedule.
  SCHEDULE,
  /// An administrator.
  ADMIN,
  /// Nobody that is known: found in the pool without a row.
  ADOPTED
}
