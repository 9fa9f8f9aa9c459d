package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.Map;
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
    VolumeId copy = VolumeId.random();
    try (var _ = store.locks().hold(volume, snapshot, copy)) {
      VirtualVolume row = store.requireWritable(volume);
      VirtualVolume taken = store.requireReady(snapshot);
      if (!taken.snapshot()) {
        throw new VasaException(
            new Fault.IncompatibleVolume(),
            "expected a snapshot of %s, but %s is none".formatted(volume, snapshot));
      }
      return revert(row, taken, copy);
    }
  }

  /// Gives a volume back what a safety copy of it holds: undoes a revert.
  ///
  /// @return the task, ended
  /// @throws VasaException (NotFound) if the copy is not in the recycle bin, or its volume is gone
  ///   or there, too; otherwise as [#revert]
  public VasaTask undo(VolumeId safetyCopy) {
    VolumeId copy = VolumeId.random();
    VolumeId volume = volumeOf(safetyCopy);
    try (var _ = store.locks().hold(volume, safetyCopy, copy)) {
      volumeOf(safetyCopy); // it may have been purged
      return revert(store.requireWritable(volume), bin.require(safetyCopy).volume(), copy);
    }
  }

  private VolumeId volumeOf(VolumeId safetyCopy) {
    BinnedVolume one = bin.require(safetyCopy);
    VolumeId volume = one.volume().parent();
    if (!one.binning().isSafetyCopy() || volume == null) {
      throw VasaException.notFound("%s is no safety copy".formatted(safetyCopy));
    }
    return volume;
  }

  /// The safety copy comes first ([SafetyCopies]). It goes again if the pool refuses the revert.
  ///
  /// @param copy id of the safety copy
  private VasaTask revert(VirtualVolume row, VirtualVolume taken, VolumeId copy) {
    NewChange reverted =
        VolumeChanges.of(
            row, ChangeKind.UPDATE, "Reverted", Map.of("snapshot", VolumeChanges.name(taken)));
    VolumeOperation operation =
        VolumeOperation.of(VolumeOperation.Kind.REVERT, row.id()).with(taken.id(), null);
    // A restart ends the hold, and never reverts late: what initiators write after it stays.
    try (var _ = store.suspend(row.id())) {
      boolean kept = safety.keep(row, copy);
      try {
        return store
            .log()
            .runAsTask(
                operation,
                "revertVirtualVolume",
                new TaskResult.None(),
                OperationLog.Steps.of(
                    () -> engine.revert(operation.id(), row.id(), taken.id()),
                    info -> {
                      store.refresh(info);
                      store.changes().append(reverted);
                    }));
      } catch (VasaException e) {
        if (kept && !engine.remembers(operation.id())) {
          bin.purge(copy);
        }
        throw e;
      }
    }
  }
}
