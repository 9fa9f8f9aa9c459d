package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.Binning;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/// Safety copies: what a volume holds before a revert, kept in the recycle bin, so that the revert
/// can be undone. One is a snapshot that is in the bin from its first moment on. Those of one
/// revert cost one record of the pool.
///
/// Making them is an operation of its own, which ends before the revert begins. So a crash between
/// them leaves copies of what the volumes still hold, which go when their time is over, and never a
/// revert without its copies.
@Component
public final class SafetyCopies {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final VolumeStore store;
  private final StorageEngine engine;
  private final RecycleBin bin;

  public SafetyCopies(VolumeStore store, RecycleBin bin) {
    this.store = store;
    this.engine = store.engine();
    this.bin = bin;
  }

  /// New ids, one for the copy of each volume.
  static Map<VolumeId, VolumeId> ids(Collection<VolumeId> volumes) {
    Map<VolumeId, VolumeId> ids = new HashMap<>();
    volumes.forEach(volume -> ids.put(volume, VolumeId.random()));
    return ids;
  }

  /// Keeps what volumes hold, all at one cut, but of those in whose containers nothing stays in the
  /// bin. Copies of several volumes carry [SnapshotChoice#GROUP_KEY], by which they belong
  /// together. The caller holds the locks of all and keeps initiators off the volumes.
  ///
  /// @param volumes at least one
  /// @param ids the id that the copy of each volume gets
  /// @return the ids of the copies that there are
  /// @throws VasaException (OutOfResource) if the pool refuses: there are none then
  List<VolumeId> keep(List<VirtualVolume> volumes, Map<VolumeId, VolumeId> ids) {
    OperationId run = OperationId.random();
    Map<String, String> group =
        volumes.size() == 1 ? Map.of() : Map.of(SnapshotChoice.GROUP_KEY, run.toString());
    List<Copy> copies = new ArrayList<>();
    for (VirtualVolume volume : volumes) {
      VolumeId id = Objects.requireNonNull(ids.get(volume.id()));
      bin.stay(volume.container(), Binning.Reason.REVERTED)
          .ifPresent(stay -> copies.add(new Copy(volume, draft(id, volume, group), stay)));
    }
    if (!copies.isEmpty()) {
      take(run, copies);
    }
    return copies.stream().map(copy -> copy.draft().id()).toList();
  }

  /// A copy that is to be made.
  ///
  /// @param draft its row
  private record Copy(VirtualVolume volume, VirtualVolume draft, Binning stay) {}

  private void take(OperationId run, List<Copy> copies) {
    VolumeId first = copies.getFirst().draft().id();
    VolumeOperation operation =
        new VolumeOperation(run, VolumeOperation.Kind.SNAPSHOT, first, null, null, null);
    List<SnapshotSpec> specs = copies.stream().map(copy -> spec(run, copy)).toList();
    store
        .log()
        .run(
            operation,
            new OperationLog.Steps<List<VolumeInfo>>(
                () -> copies.forEach(copy -> store.rows().insert(copy.draft(), run)),
                () -> store.log().havingRoom(() -> engine.snapshot(run, specs, PATIENCE)),
                infos -> {
                  infos.forEach(store::refresh);
                  store.changes().append(copies.stream().map(this::made).toList());
                },
                () -> copies.forEach(copy -> store.rows().delete(copy.draft().id()))));
  }

  private static SnapshotSpec spec(OperationId run, Copy copy) {
    Map<String, String> attributes = new HashMap<>(PoolAttributes.of(copy.draft(), run));
    attributes.putAll(PoolAttributes.binned(copy.stay(), null));
    return new SnapshotSpec(copy.volume().id(), copy.draft().id(), attributes);
  }

  private NewChange made(Copy copy) {
    return VolumeChanges.of(
        copy.draft(),
        ChangeKind.NEW,
        "SafetyCopy",
        Map.of(
            "volume",
            VolumeChanges.name(copy.volume()),
            "until",
            bin.shown(copy.stay().until()).toString()));
  }

  private VirtualVolume draft(VolumeId id, VirtualVolume volume, Map<String, String> group) {
    Map<String, String> metadata = new HashMap<>(group);
    metadata.put(VolumeChoice.NAME_KEY, "before revert " + store.now());
    return new VirtualVolume(
        id,
        volume.container(),
        volume.type(),
        VvolState.CREATING,
        VolumeOrigin.ADMIN,
        true,
        volume.sizeInBytes(),
        false,
        volume.id(),
        volume.profile(),
        volume.requirements(),
        store.now(),
        metadata);
  }
}
