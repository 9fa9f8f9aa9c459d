/// Virtual volumes over volumes of the storage engine: life cycle, metadata, snapshots, clones,
/// queries, space and compliance.
///
/// | Service | Does |
/// |---|---|
/// | [io.coppice.vasa.volume.VirtualVolumes] | create, delete, resize, metadata, queries |
/// | [io.coppice.vasa.volume.Snapshots] | prepare, take, revert |
/// | [io.coppice.vasa.volume.Clones] | clones, copies of differences |
/// | [io.coppice.vasa.volume.Bitmaps] | allocated and unshared chunks |
/// | [io.coppice.vasa.volume.VolumePolicies] | change of profile, compliance |
/// | [io.coppice.vasa.volume.SnapshotSchedules] | the array's own snapshots |
/// | [io.coppice.vasa.volume.Spaces] | space of volumes and containers |
///
/// The pool decides what exists; rows make it searchable and carry what is in progress. Every
/// change goes through `OperationLog`, which says in which order and what a crash leaves. May
/// depend on `container`, `policy`, `task`, `gate`, `time` and `fault`, and on the APIs of the
/// engine and of the LUN directory.
///
/// Lock order: volumes, by [io.coppice.vasa.volume.VolumeLocks] in one call for all that an
/// operation needs; then the database.
@NullMarked
package io.coppice.vasa.volume;

import org.jspecify.annotations.NullMarked;
