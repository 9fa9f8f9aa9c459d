package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;

/// Reverts of volumes to their snapshots, and their undoing.
@Service
public final class Reverts {

  private final VolumeStore store;
  private final StorageEngine engine;
  private final RecycleBin bin;
  private final SafetyCopies safety;

  public Reverts(VolumeStore store, RecycleBin bin, SafetyCopies safety) {
    this.store = store;
    this.engine = store.engine();
    this.bin = bin;
    this.safety = safety;
  }

  /// Gives a volume the content and size of one of its snapshots, which stays (VASA 2.0
  /// revertVirtualVolume). An export of the volume keeps its number and name. What the volume holds
  /// before is kept as a safety copy, which [#undo] takes.
  ///
  /// @throws VasaException (NotFound) if either is unknown; (IncompatibleVolume) if it is not a
  ///   snapshot of the volume; (ResourceInUse) if the volume is bound, or exported to an initiator
  ///   that has a session; (NotSupported) if it is a snapshot itself
  public VasaTask revert(VolumeId volume, VolumeId snapshot) {
    return revert(Map.of(volume, snapshot));
  }

  /// Reverts several volumes by one record of the pool: all of them or none, as [#revert] does one.
  /// Their safety copies belong together.
  ///
  /// @param snapshots by volume, 1 to [StorageEngine#MAX_GROUP]
  /// @return the task, ended
  /// @throws VasaException as [#revert], because of any of them: nothing has changed then
  public VasaTask revert(Map<VolumeId, VolumeId> snapshots) {
    Map<VolumeId, VolumeId> copies = SafetyCopies.ids(snapshots.keySet());
    try (var _ = store.locks().hold(involved(snapshots, copies))) {
      List<Pair> pairs = new ArrayList<>();
      snapshots.forEach(
          (volume, snapshot) ->
              pairs.add(
                  new Pair(store.requireWritable(volume), requireSnapshot(volume, snapshot))));
      return revert(pairs, copies);
    }
  }

  /// Takes volumes back to the moment at which a snapshot of one of them was taken: each to the
  /// snapshot of the same cut, all of them or none.
  ///
  /// @param volumes 1 to [StorageEngine#MAX_GROUP]
  /// @return the task, ended
  /// @throws VasaException (IncompatibleVolume) if it is not a snapshot of any of them;
  ///   (NotSupported) if one of them has no snapshot of that cut; otherwise as [#revert]
  public VasaTask revertTogether(List<VolumeId> volumes, VolumeId snapshot) {
    VirtualVolume taken = store.requireReady(snapshot);
    if (!taken.snapshot() || !volumes.contains(taken.parent())) {
      throw new VasaException(
          new Fault.IncompatibleVolume(),
          "expected a snapshot of one of %s, but %s is none".formatted(volumes, snapshot));
    }
    Map<VolumeId, VolumeId> ofCut = ofCut(taken);
    Map<VolumeId, VolumeId> targets = new LinkedHashMap<>();
    for (VolumeId volume : volumes) {
      VolumeId target = ofCut.get(volume);
      if (target == null) {
        throw new VasaException(
            new Fault.NotSupported(),
            "expected a snapshot of every volume, but %s has none of the same moment as %s"
                .formatted(volume, snapshot));
      }
      targets.put(volume, target);
    }
    return revert(targets);
  }

  /// The snapshots of one cut, by the volumes that they are of.
  private Map<VolumeId, VolumeId> ofCut(VirtualVolume taken) {
    Map<VolumeId, VolumeId> found = new HashMap<>();
    found.put(Objects.requireNonNull(taken.parent()), taken.id());
    String group = taken.metadata().get(SnapshotChoice.GROUP_KEY);
    if (group != null) {
      SnapshotChoice cut = new SnapshotChoice(null, null, null, null, List.of(), group);
      for (VirtualVolume one :
          store.rows().page(cut, RowOrder.by("created"), StorageEngine.MAX_GROUP)) {
        if (one.parent() != null) {
          found.putIfAbsent(one.parent(), one.id());
        }
      }
    }
    return found;
  }

  private VirtualVolume requireSnapshot(VolumeId volume, VolumeId snapshot) {
    VirtualVolume taken = store.requireReady(snapshot);
    if (!taken.snapshot()) {
      throw new VasaException(
          new Fault.IncompatibleVolume(),
          "expected a snapshot of %s, but %s is none".formatted(volume, snapshot));
    }
    return taken;
  }

  /// Undoes a revert: gives back what a safety copy holds, and what the others of the same revert
  /// hold that are still in the recycle bin. All of it comes back, or nothing.
  ///
  /// @return the task, ended
  /// @throws VasaException (NotFound) if the copy is not in the recycle bin, or the volume of one
  ///   is gone or there, too; otherwise as [#revert]
  public VasaTask undo(VolumeId safetyCopy) {
    Map<VolumeId, VolumeId> kept = new LinkedHashMap<>();
    bin.together(requireCopy(safetyCopy)).forEach(one -> kept.put(volumeOf(one), one.id()));
    Map<VolumeId, VolumeId> copies = SafetyCopies.ids(kept.keySet());
    try (var _ = store.locks().hold(involved(kept, copies))) {
      List<Pair> pairs = new ArrayList<>();
      // A copy may have been purged meanwhile.
      kept.forEach(
          (volume, copy) ->
              pairs.add(new Pair(store.requireWritable(volume), requireCopy(copy).volume())));
      return revert(pairs, copies);
    }
  }

  private BinnedVolume requireCopy(VolumeId safetyCopy) {
    BinnedVolume one = bin.require(safetyCopy);
    if (!one.binning().isSafetyCopy() || one.volume().parent() == null) {
      throw VasaException.notFound("%s is no safety copy".formatted(safetyCopy));
    }
    return one;
  }

  private static VolumeId volumeOf(BinnedVolume safetyCopy) {
    return Objects.requireNonNull(safetyCopy.volume().parent());
  }

  private static VolumeId[] involved(
      Map<VolumeId, VolumeId> snapshots, Map<VolumeId, VolumeId> copies) {
    return Stream.of(snapshots.keySet(), snapshots.values(), copies.values())
        .flatMap(Collection::stream)
        .distinct()
        .toArray(VolumeId[]::new);
  }

  /// A volume, and the snapshot or safety copy that it goes back to.
  private record Pair(VirtualVolume volume, VirtualVolume taken) {

    NewChange reverted() {
      return VolumeChanges.of(
          volume, ChangeKind.UPDATE, "Reverted", Map.of("snapshot", VolumeChanges.name(taken)));
    }
  }

  /// The safety copies come first ([SafetyCopies]). They go again if the pool refuses the revert.
  ///
  /// @param copies the id of the safety copy of each volume
  private VasaTask revert(List<Pair> pairs, Map<VolumeId, VolumeId> copies) {
    List<VirtualVolume> volumes = pairs.stream().map(Pair::volume).toList();
    VolumeId first = volumes.getFirst().id();
    VolumeOperation operation =
        VolumeOperation.of(VolumeOperation.Kind.REVERT, first)
            .with(pairs.getFirst().taken().id(), null);
    // A restart ends the hold, and never reverts late: what initiators write after it stays.
    try (var _ = store.suspendAll(volumes.stream().map(VirtualVolume::id).toList())) {
      List<VolumeId> kept = safety.keep(volumes, copies);
      try {
        return store
            .log()
            .runAsTask(
                operation,
                "revertVirtualVolume",
                new TaskResult.None(),
                OperationLog.Steps.of(
                    () -> engine.revert(operation.id(), targets(pairs)),
                    infos -> {
                      infos.forEach(store::refresh);
                      store.changes().append(pairs.stream().map(Pair::reverted).toList());
                    }));
      } catch (VasaException e) {
        if (!engine.remembers(operation.id())) {
          kept.forEach(bin::purge);
        }
        throw e;
      }
    }
  }

  private static Map<VolumeId, VolumeId> targets(List<Pair> pairs) {
    Map<VolumeId, VolumeId> targets = new LinkedHashMap<>();
    pairs.forEach(pair -> targets.put(pair.volume().id(), pair.taken().id()));
    return targets;
  }
}
