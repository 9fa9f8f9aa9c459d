/// Virtual volumes over volumes of the storage engine. This package holds the values that describe
/// them; the services stand in its rooms:
///
/// | Service | Does |
/// |---|---|
/// | [io.coppice.vasa.volume.lifecycle.VirtualVolumes] | create, delete, resize, query |
/// | [io.coppice.vasa.volume.snapshot.Snapshots] | prepare, take |
/// | [io.coppice.vasa.volume.snapshot.Reverts] | revert, and its undoing |
/// | [io.coppice.vasa.volume.timeline.Rewinds] | revert to a moment |
/// | [io.coppice.vasa.volume.bin.RecycleBin] | what is deleted, until it is purged or restored |
/// | [io.coppice.vasa.volume.copy.Clones] | clones, copies of differences |
/// | [io.coppice.vasa.volume.copy.Bitmaps] | allocated and unshared chunks |
/// | [io.coppice.vasa.volume.policy.VolumePolicies] | change of profile, compliance |
/// | [io.coppice.vasa.volume.snapshot.SnapshotSchedules] | the array's own snapshots |
/// | [io.coppice.vasa.volume.space.SpaceStatistics] | space of volumes and containers |
///
/// The pool decides what exists; rows make it searchable and carry the work in progress. Every
/// change goes through `OperationLog`, which describes its order and what a crash leaves. May
/// depend on `container`, `policy`, `task`, `gate`, `time` and `fault`, and on the APIs of the
/// engine and of the LUN directory.
///
/// Lock order: volumes, by [io.coppice.vasa.volume.store.VolumeLocks] in one call for all that an
/// operation needs; then the database.
@NullMarked
package io.coppice.vasa.volume;

import org.jspecify.annotations.NullMarked;
