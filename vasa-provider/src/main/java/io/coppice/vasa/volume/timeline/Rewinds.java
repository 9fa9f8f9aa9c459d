package io.coppice.vasa.volume.timeline;

import io.coppice.engine.VolumeId;
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
@Service
public final class Rewinds {

  private static final String TASK = "revertToMoment";

  private final VolumeStore store;
  private final Timelines timelines;
  private final RewindSteps steps;

  public Rewinds(VolumeStore store, Timelines timelines) {
    this.store = store;
    this.timelines = timelines;
    this.steps = new RewindSteps(store);
  }

  /// Gives volumes back what all of them held at a moment, or none of them. They keep their sizes,
  /// and their exports keep numbers and names. All is checked before the first one changes. There
  /// is no safety copy, because their journals keep what they hold before ([RewindSteps]).
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
          VolumeOperation.of(VolumeOperation.Kind.REWIND, volumes.getFirst());
      try (var _ = store.suspendAll(volumes)) {
        return store
            .log()
            .runAsTask(
                operation,
                TASK,
                done -> new TaskResult.Reverted(aim.point(), done.undo()),
                new OperationLog.Steps<RewindSteps.Done>(
                    () -> store.rewinds().insert(operation.id(), aim.parts()),
                    () -> steps.run(operation, aim.parts()),
                    done -> {
                      done.volumes().forEach(store::refresh);
                      store.changes().append(rows.stream().map(row -> reverted(row, aim)).toList());
                    },
                    () -> {}));
      }
    }
  }

  private static NewChange reverted(VirtualVolume row, Timelines.Aim aim) {
    return VolumeChanges.of(
        row, ChangeKind.UPDATE, "RevertedToMoment", Map.of("point", aim.point().toString()));
  }
}
