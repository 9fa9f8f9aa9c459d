package io.coppice.vasa.protection;

/// The end of the recovery points of a group whose protection ends.
public enum PointsEnd {
  /// Their snapshots stay.
  KEEP,
  /// Their snapshots are deleted, into the recycle bin.
  DELETE,
  /// Their snapshots are deleted for good.
  PURGE
}
