package io.coppice.vasa.volume.timeline;

import io.coppice.engine.Journals;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;

/// Reverts of volumes to moments of their timelines.
///
/// There is no safety copy: the revert makes a point of what each volume holds, which takes it
/// back. One record of the pool brings back all of the volumes, and makes these points at one
/// moment.
///
/// Order, and what a crash leaves: as of any operation ([OperationLog]). Before the record nothing
/// has happened to any of the volumes, behind it all of them are back. The start asks the pool
/// which it was, says so in the task, and never reverts late: what initiators write after it stays.
@Service
public final class Rewinds {

  private static final String TASK = "revertToMoment";

  /// Later than all points.
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final VolumeStore store;
  private final Timelines timelines;

  public Rewinds(VolumeStore store, Timelines timelines) {
    this.store = store;
    this.timelines = timelines;
  }

  /// The outcome of a revert in the pool.
  ///
  /// @param undo the moment that takes it back
  private record Done(List<VolumeInfo> volumes, Instant undo) {}

  /// Gives volumes back what all of them held at a moment, or none of them. They keep their sizes,
  /// and their exports keep numbers and names. All is checked before the first one changes.
  ///
  /// @param volumes at least one, each once
  /// @return the task, ended; its result names the point, and the moment that takes it back
  /// @throws VasaException (NotFound) if one is unknown, or its timeline does not reach back to the
  ///   moment; (NotSupported) if one is a snapshot or has no timeline; (InvalidArgument) if the
  ///   moment is in the future; (ResourceInUse) if one is bound, or exported to an initiator that
  ///   has a session; (OutOfResource) if the pool lacks the space
  public VasaTask revert(List<VolumeId> volumes, Instant moment) {
    try (var _ = store.locks().hold(volumes.toArray(VolumeId[]::new))) {
      List<VirtualVolume> rows = volumes.stream().map(store::requireWritable).toList();
      Timelines.Aim aim = timelines.aim(volumes, moment);
      VolumeOperation operation =
          VolumeOperation.of(VolumeOperation.Kind.REVERT, volumes.getFirst());
      try (var _ = store.suspendAll(volumes)) {
        return store
            .log()
            .runAsTask(
                operation,
                TASK,
                done -> new TaskResult.Reverted(aim.point(), done.undo()),
                OperationLog.Steps.<Done>of(
                    () -> carryOut(operation, aim.points()),
                    done -> {
                      done.volumes().forEach(store::refresh);
                      store.changes().append(rows.stream().map(row -> reverted(row, aim)).toList());
                    }));
      }
    }
  }

  /// The newest point of each volume is what it holds then, and the one before what it held.
  private Done carryOut(VolumeOperation operation, Map<VolumeId, Instant> points) {
    Journals journals = store.engine().journals();
    try {
      List<VolumeInfo> back = store.log().havingRoom(() -> journals.revert(operation.id(), points));
      return new Done(back, journals.pointsBefore(operation.volume(), LAST, 2).getLast());
    } catch (StorageException.Overtaken e) {
      throw Timelines.forgotten();
    }
  }

  private static NewChange reverted(VirtualVolume row, Timelines.Aim aim) {
    return VolumeChanges.of(
        row, ChangeKind.UPDATE, "RevertedToMoment", Map.of("point", aim.point().toString()));
  }
}
