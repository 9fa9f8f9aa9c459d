package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;

/// The outcome of one item of a group of snapshots.
public sealed interface SnapshotOutcome {

  /// Id of the snapshot.
  VolumeId id();

  /// The snapshot is taken.
  record Taken(VolumeId id) implements SnapshotOutcome {}

  /// The snapshot does not exist.
  record Refused(VolumeId id, VasaException why) implements SnapshotOutcome {}
}
