package io.coppice.vasa.volume.lifecycle;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.ListedMachine;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.DerivedMetadata;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// Virtual volumes: life cycle, metadata and queries (VASA 2.0 createVirtualVolume and others).
///
/// Changes of one volume exclude each other. When its call returns, a change has happened, or
/// nothing has changed. [VolumeRecovery] settles what a crash leaves, as `OperationLog` describes.
@Service
public final class VirtualVolumes {

  /// The step of sizes of plain volumes: a block of the pool.
  private static final long BLOCK = 4L << 10;

  /// The step of sizes of vVols: VASA counts in megabytes.
  private static final long MIB = 1L << 20;

  /// Keys that hosts may store but not search for.
  private static final Set<String> UNSEARCHABLE =
      Set.of(
          "VMW_VvolAllocationType", "VMW_UnreferencedObj", "VMW_VvolDescriptor", "VMW_VvolProfile");

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final Profiles profiles;
  private final SpaceStatistics spaces;
  private final RecycleBin bin;

  public VirtualVolumes(
      VolumeStore store,
      Containers containers,
      Profiles profiles,
      SpaceStatistics spaces,
      RecycleBin bin) {
    this.bin = bin;
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.profiles = profiles;
    this.spaces = spaces;
  }

  /// Makes an empty virtual volume.
  ///
  /// @return the task, ended; its result is the new volume
  /// @throws VasaException (InvalidArgument) if the size is out of range or not a multiple of 1
  ///   MiB, of 4 KiB if an administrator makes it, or the metadata is too large; (NotFound) if the
  ///   container is unknown; (InvalidProfile) if the profile cannot be met; (OutOfResource) if the
  ///   container or the pool lacks the space
  public VasaTask create(NewVolume wanted) {
    checkSize(wanted.sizeInBytes(), wanted.origin());
    StorageContainer container = containers.require(wanted.container());
    StorageProfile profile =
        profiles.forNewVolume(container.id(), wanted.type().text(), wanted.profile()).orElse(null);
    Requirements requirements =
        profile == null ? Requirements.NONE : Capabilities.requirementsOf(profile);
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.CREATE, VolumeId.random());
    VirtualVolume volume = draft(operation.volume(), wanted, requirements, profile);
    VolumeSpec spec =
        new VolumeSpec(
            volume.id(),
            volume.sizeInBytes(),
            volume.thick(),
            PoolAttributes.of(volume, operation.id()));
    try (var _ = store.locks().hold(volume.id());
        var _ = spaces.roomFor(container, wanted.sizeInBytes(), requirements.thick())) {
      return store
          .log()
          .runAsTask(
              operation,
              "createVirtualVolume",
              new TaskResult.NewVolume(volume.id()),
              store.making(
                  volume,
                  operation.id(),
                  () -> store.log().havingRoom(() -> engine.create(operation.id(), spec)),
                  VolumeChanges.made(volume, container.text())));
    }
  }

  private VirtualVolume draft(
      VolumeId id, NewVolume wanted, Requirements requirements, @Nullable StorageProfile profile) {
    return new VirtualVolume(
        id,
        wanted.container(),
        wanted.type(),
        VvolState.CREATING,
        wanted.origin(),
        false,
        wanted.sizeInBytes(),
        requirements.thick(),
        null,
        profile == null ? null : AppliedProfile.of(profile),
        requirements,
        store.now(),
        DerivedMetadata.of(wanted.metadata(), wanted.container(), wanted.type()));
  }

  /// A volume that hosts are to reach, as [#requireReady] finds it.
  ///
  /// @throws VasaException (ResourceInUse) also while a copy of differences writes to it
  public VirtualVolume requireReachable(VolumeId id) {
    VirtualVolume volume = requireReady(id);
    store.checkNotCopiedTo(id);
    return volume;
  }

  /// Deletes a virtual volume or snapshot, also a prepared one that was never taken. Its snapshots
  /// and clones stay. It goes into the recycle bin, if that takes it.
  ///
  /// A volume counts as deleted if it has left the pool but an earlier call could not remove its
  /// row.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it is bound, exported or
  ///   locked, or has a locked snapshot
  public void delete(VolumeId id) {
    delete(id, null);
  }

  /// As [#delete(VolumeId)], of a volume whose export has ended for it.
  ///
  /// @param export what the export was, which the recycle bin keeps beside it; null for none
  /// @throws VasaException as there
  public void delete(VolumeId id, @Nullable String export) {
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = require(id);
      store.checkDeletable(volume);
      if (!bin.put(volume, export)) {
        deleteForGood(volume);
      }
    }
  }

  /// As [#delete], but past the recycle bin: what Coppice made for itself, and what an
  /// administrator wants to be gone.
  ///
  /// @throws VasaException as [#delete]
  public void deleteForGood(VolumeId id) {
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = require(id);
      store.checkDeletable(volume);
      deleteForGood(volume);
    }
  }

  private void deleteForGood(VirtualVolume volume) {
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.DELETE, volume.id());
    store
        .log()
        .run(
            operation,
            OperationLog.Steps.of(
                () -> deleteFromPool(operation.id(), volume),
                _ -> {
                  store.rows().delete(volume.id());
                  if (volume.state() != VvolState.PREPARED) {
                    store
                        .changes()
                        .append(VolumeChanges.of(volume, ChangeKind.DELETE, "Delete", Map.of()));
                  }
                }));
  }

  private boolean deleteFromPool(OperationId operation, VirtualVolume volume) {
    if (volume.state() == VvolState.PREPARED) {
      return false;
    }
    try {
      engine.delete(operation, volume.id());
      return true;
    } catch (StorageException.NotFound e) {
      return false;
    }
  }

  /// Grows a virtual volume, bound or not.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (NotSupported) if it is a snapshot;
  ///   (InvalidArgument) if the size is smaller than now, or not one that [#create] takes;
  ///   (OutOfResource) if the container or the pool lacks the space
  public VasaTask resize(VolumeId id, long sizeInBytes) {
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = store.requireWritable(id);
      checkSize(sizeInBytes, volume.origin());
      if (sizeInBytes < volume.sizeInBytes()) {
        throw VasaException.invalidArgument(
            "expected a size of at least %d bytes, which %s has, got %d"
                .formatted(volume.sizeInBytes(), id, sizeInBytes));
      }
      StorageContainer container = containers.require(volume.container());
      VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.RESIZE, id);
      try (var _ = spaces.roomToGrow(container, volume, sizeInBytes)) {
        return store
            .log()
            .runAsTask(
                operation,
                "resizeVirtualVolume",
                new TaskResult.None(),
                OperationLog.Steps.of(
                    () ->
                        store
                            .log()
                            .havingRoom(() -> engine.resize(operation.id(), id, sizeInBytes)),
                    info -> {
                      store.refresh(info);
                      noteGrowth(volume, sizeInBytes);
                    }));
      }
    }
  }

  private void noteGrowth(VirtualVolume before, long size) {
    if (size != before.sizeInBytes()) {
      store
          .changes()
          .append(
              VolumeChanges.of(
                  before,
                  ChangeKind.UPDATE,
                  "Grown",
                  Map.of("from", Long.toString(before.sizeInBytes()), "to", Long.toString(size))));
    }
  }

  /// Puts pairs of metadata and removes keys; all or nothing.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (InvalidArgument) if the metadata gets too
  ///   large, or a pair contradicts what the volume is
  public void updateMetadata(VolumeId id, Map<String, String> put, Set<String> remove) {
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = require(id);
      Set<String> removed = new HashSet<>(remove);
      removed.removeAll(put.keySet());
      DerivedMetadata.checkChange(put, removed, volume);
      VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.METADATA, id);
      store
          .log()
          .run(
              operation,
              OperationLog.Steps.of(
                  () ->
                      engine.setAttributes(
                          operation.id(),
                          id,
                          PoolAttributes.metadataAttributes(put),
                          PoolAttributes.metadataKeys(removed)),
                  info -> {
                    store.rows().putMetadata(id, put);
                    store.rows().removeMetadata(id, removed);
                    if (put.containsKey(SnapshotGrid.MACHINE_KEY)
                        || removed.contains(SnapshotGrid.MACHINE_KEY)) {
                      store.moveToGridOf(info);
                    }
                    SortedSet<String> keys = VolumeChanges.altered(volume, put, removed);
                    store.changes().append(VolumeChanges.metadata(volume, keys, put));
                  }));
    }
  }

  /// The result of a change of one volume. Nobody else changes the volume meanwhile.
  ///
  /// @throws VasaException (VasaProviderBusy) if another change of it lasts too long
  public <T> T alone(VolumeId id, Supplier<T> change) {
    try (var _ = store.locks().hold(id)) {
      return change.get();
    }
  }

  public Optional<VirtualVolume> find(VolumeId id) {
    return store.rows().find(id).filter(volume -> volume.state() != VvolState.CREATING);
  }

  /// The members of `ids` that are in the pool, in their order; unknown ones are left out.
  public List<VirtualVolume> find(Collection<VolumeId> ids) {
    Map<VolumeId, VirtualVolume> found = new HashMap<>();
    for (VirtualVolume volume : store.rows().find(ids)) {
      if (volume.state() == VvolState.READY) {
        found.put(volume.id(), volume);
      }
    }
    return ids.stream().distinct().filter(found::containsKey).map(found::get).toList();
  }

  /// As [#find(Collection)], in no order, and with those in the recycle bin.
  public List<VirtualVolume> findAlsoBinned(Collection<VolumeId> ids) {
    return store.bin().inEveryState(ids).stream()
        .filter(one -> one.state() == VvolState.READY || one.state() == VvolState.BINNED)
        .toList();
  }

  /// The members of `ids` that the token of the current call may see: all, without a look, unless
  /// it is bound to containers. For what the pool knows and the database does not.
  public Set<VolumeId> seen(Collection<VolumeId> ids) {
    return Viewer.boundToken().isEmpty() ? Set.copyOf(ids) : store.rows().seen(ids);
  }

  /// A virtual volume or snapshot, prepared or in the pool.
  ///
  /// @throws VasaException (NotFound) if it is unknown
  public VirtualVolume require(VolumeId id) {
    return store.require(id);
  }

  /// A virtual volume or snapshot in the pool.
  ///
  /// @throws VasaException (NotFound) if it is unknown or only prepared
  public VirtualVolume requireReady(VolumeId id) {
    return store.requireReady(id);
  }

  /// Ids of all volumes in the pool, in order of creation, snapshots included.
  public List<VolumeId> ids() {
    return store.lists().ids();
  }

  /// The number of [#ids].
  public int count() {
    return store.lists().count();
  }

  /// The values of a metadata key, by volume. Volumes without the key are left out.
  public Map<VolumeId, String> valuesOf(String key, Collection<VolumeId> ids) {
    return store.lists().values(key, ids);
  }

  /// Virtual machines with a vVol; `limit` at most.
  ///
  /// @param container only machines whose config vVol, or else first one, is in it; null for any
  /// @param order by `id`, by `name` (of that vVol) or by `provisioned` (the sizes of all together)
  public List<ListedMachine> machines(@Nullable UUID container, RowOrder order, int limit) {
    return store.lists().machines(container, order, limit);
  }

  /// Ids of the virtual machines that have a vVol or a snapshot of a name.
  public List<String> machinesNamed(String name) {
    return store.lists().machinesNamed(name);
  }

  /// The number of virtual machines, as in [#machines].
  public int countMachines(@Nullable UUID container) {
    return store.lists().countMachines(container);
  }

  /// The vVols of virtual machines without their snapshots, in order of creation.
  public List<VirtualMachineVolume> ofMachines(Collection<String> machines) {
    return store.lists().ofMachines(machines);
  }

  /// Volumes and snapshots whose name has a text in it, the best first: equal names, then those
  /// that begin with it. Letters of ASCII match in either case.
  public List<VolumeId> named(String text, int limit) {
    return store.names().named(text, limit);
  }

  /// Volumes and snapshots whose ids are within two, both included.
  public List<VolumeId> between(UUID first, UUID last, int limit) {
    return store.names().between(first, last, limit);
  }

  /// Ids of machines that have a text in their id or name, the best first.
  public List<String> machinesLike(String text, int limit) {
    return store.names().machines(text, limit);
  }

  /// All virtual volumes, in order of creation, hidden and unfinished ones included.
  public List<VirtualVolume> list() {
    return store.rows().all();
  }

  /// The first volumes of a choice, `limit` at most.
  public List<VirtualVolume> page(VolumeChoice chosen, int limit) {
    return store.rows().page(chosen, limit);
  }

  /// The first volumes of a choice, `limit` at most.
  ///
  /// @param order by `created`, by `name` or by `size`
  public List<VirtualVolume> page(VolumeChoice chosen, RowOrder order, int limit) {
    return store.rows().page(chosen, order, limit);
  }

  /// The volumes of [#page] without their metadata, for readers that look at all volumes.
  public List<VirtualVolume> bare(VolumeChoice chosen, int limit) {
    return store.rows().bare(chosen, limit);
  }

  /// The number of volumes of a choice, wherever it begins.
  public int count(VolumeChoice chosen) {
    return store.rows().count(chosen);
  }

  /// The first snapshots of a choice, `limit` at most.
  ///
  /// @param order by `created`, by `name` or by `size`
  public List<VirtualVolume> snapshots(SnapshotChoice chosen, RowOrder order, int limit) {
    return store.rows().page(chosen, order, limit);
  }

  /// The number of snapshots of a choice.
  public int countSnapshots(SnapshotChoice chosen) {
    return store.rows().count(chosen);
  }

  /// Ids of the virtual volumes that have all of the pairs, in order of creation.
  ///
  /// @param pairs keys with the value sought, or none for any
  /// @throws VasaException (InvalidArgument) if there is no pair or a key cannot be searched for
  public List<VolumeId> search(Map<String, Optional<String>> pairs) {
    if (pairs.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one search constraint, got none");
    }
    for (String key : pairs.keySet()) {
      if (UNSEARCHABLE.contains(key)) {
        throw VasaException.invalidArgument(
            "expected a searchable metadata key, got '%s'".formatted(key));
      }
    }
    return store.rows().search(pairs);
  }

  /// @param origin of the volume: an administrator's has smaller steps
  /// @throws VasaException (InvalidArgument) if no virtual volume is made or grown to this size
  public static void checkSize(long sizeInBytes, VolumeOrigin origin) {
    long step = origin == VolumeOrigin.ADMIN ? BLOCK : MIB;
    if (sizeInBytes < step
        || sizeInBytes > VolumeSpec.MAX_SIZE_IN_BYTES
        || sizeInBytes % step != 0) {
      throw VasaException.invalidArgument(
              "expected a size of %d to %d bytes that is a multiple of %d, got %d"
                  .formatted(step, VolumeSpec.MAX_SIZE_IN_BYTES, step, sizeInBytes))
          .about("size");
    }
  }
}
