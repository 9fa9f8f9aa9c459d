package io.coppice.vasa.volume;

/// Who asked for a virtual volume.
public enum VolumeOrigin {
  /// A host or vCenter.
  HOST,
  /// The array's snapshot schedule: VASA queries of virtual volumes do not show it.
  SCHEDULE,
  /// An administrator.
  ADMIN,
  /// Nobody that is known: found in the pool without a row.
  ADOPTED;

  /// Whether VASA queries show it.
  public boolean visibleToHosts() {
    return this != SCHEDULE;
  }
}
