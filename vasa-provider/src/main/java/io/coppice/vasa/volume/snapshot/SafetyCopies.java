package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.Binning;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Safety copies: what a volume holds before a revert, kept in the recycle bin, so that the revert
/// can be undone. One is a snapshot that is in the bin from its first moment on, and costs one
/// record of the pool.
///
/// It is an operation of its own, which ends before the revert begins. So a crash between them
/// leaves a copy of what the volume still holds, which goes when its time is over, and never a
/// revert without its copy.
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

  /// Keeps what a volume holds, unless nothing of its container stays in the bin. The caller holds
  /// the locks of both and keeps initiators off the volume.
  ///
  /// @param id which the copy gets
  /// @return whether there is one
  /// @throws VasaException (OutOfResource) if the pool refuses: there is none then
  boolean keep(VirtualVolume volume, VolumeId id) {
    Optional<Binning> stay = bin.stay(volume.container(), Binning.Reason.REVERTED);
    stay.ifPresent(binning -> take(volume, draft(id, volume), binning));
    return stay.isPresent();
  }

  private void take(VirtualVolume volume, VirtualVolume draft, Binning stay) {
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.SNAPSHOT, draft.id());
    Map<String, String> attributes = new HashMap<>(PoolAttributes.of(draft, operation.id()));
    attributes.putAll(PoolAttributes.binned(stay, null));
    SnapshotSpec spec = new SnapshotSpec(volume.id(), draft.id(), attributes);
    store
        .log()
        .run(
            operation,
            new OperationLog.Steps<List<VolumeInfo>>(
                () -> store.rows().insert(draft, operation.id()),
                () ->
                    store
                        .log()
                        .havingRoom(() -> engine.snapshot(operation.id(), List.of(spec), PATIENCE)),
                infos -> {
                  infos.forEach(store::refresh);
                  store
                      .changes()
                      .append(
                          VolumeChanges.of(
                              draft,
                              ChangeKind.NEW,
                              "SafetyCopy",
                              Map.of(
                                  "volume",
                                  VolumeChanges.name(volume),
                                  "until",
                                  bin.shown(stay.until()).toString())));
                },
                () -> store.rows().delete(draft.id())));
  }

  private VirtualVolume draft(VolumeId id, VirtualVolume volume) {
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
        Map.of(VolumeChoice.NAME_KEY, "before revert " + store.now()));
  }
}
