package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;

/// What became of one item of a group of snapshots.
public sealed interface SnapshotOutcome {

  /// Id of the snapshot.
  VolumeId id();

  /// It is taken.
  record Taken(VolumeId id) implements SnapshotOutcome {}

  /// It does not exist.
  record Refused(VolumeId id, VasaException why) implements SnapshotOutcome {}
}
