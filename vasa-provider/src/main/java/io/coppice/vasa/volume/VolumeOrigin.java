package io.coppice.vasa.volume;

/// The origin of a virtual volume. Searches by hosts show a snapshot only if a host asked for it:
/// the others belong to the array, not to the virtual machine.
public enum VolumeOrigin {
  /// A host or vCenter.
  HOST,
  /// The array's snapshot schedule.
  SCHEDULE,
  /// An administrator.
  ADMIN,
  /// Unknown: found in the pool without a row.
  ADOPTED
}
