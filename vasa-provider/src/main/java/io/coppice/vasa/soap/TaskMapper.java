package io.coppice.vasa.soap;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.volume.Spaces;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.wsdl.vvol.ObjectFactory;
import io.coppice.wsdl.vvol.PrepareSnapshotResult;
import io.coppice.wsdl.vvol.TaskInfo;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Tasks on the wire. What a snapshot's preparation says of its parent is read when it is asked
/// for.
@Component
final class TaskMapper {

  private static final ObjectFactory VVOL = new ObjectFactory();

  private final VirtualVolumes volumes;
  private final Spaces spaces;
  private final ArrayIdentity array;

  TaskMapper(VirtualVolumes volumes, Spaces spaces, ArrayIdentity array) {
    this.volumes = volumes;
    this.spaces = spaces;
    this.array = array;
  }

  TaskInfo info(Task task) {
    TaskInfo info = new TaskInfo();
    info.setArrayId(VVOL.createTaskInfoArrayId(array.id()));
    info.setTaskId(task.id());
    info.setName(task.name());
    info.setStartTime(task.started().atOffset(ZoneOffset.UTC));
    info.setCancelable(false);
    info.setCancelled(false);
    info.setProgressUpdateAvailable(false);
    switch (task.state()) {
      case TaskState.Queued _ -> info.setTaskState("Queued");
      case TaskState.Running _ -> info.setTaskState("Running");
      case TaskState.Success success -> {
        info.setTaskState("Success");
        info.setProgress(100);
        result(success.result())
            .ifPresent(result -> info.setResult(VVOL.createTaskInfoResult(result)));
      }
      case TaskState.Failed failed -> {
        info.setTaskState("Error");
        info.setError(VVOL.createTaskInfoError(FaultBeans.of(failed.fault())));
      }
    }
    return info;
  }

  private Optional<Object> result(TaskResult result) {
    return switch (result) {
      case TaskResult.None _ -> Optional.empty();
      case TaskResult.NewVolume(VolumeId volume) -> Optional.of(Identifiers.text(volume));
      case TaskResult.PreparedSnapshot(VolumeId snapshot) ->
          prepared(snapshot).map(Object.class::cast);
    };
  }

  /// Empty once the snapshot or its parent is gone.
  private Optional<PrepareSnapshotResult> prepared(VolumeId snapshot) {
    return volumes
        .find(snapshot)
        .flatMap(found -> Optional.ofNullable(found.parent()))
        .flatMap(volumes::find)
        .flatMap(parent -> prepared(snapshot, parent));
  }

  private Optional<PrepareSnapshotResult> prepared(VolumeId snapshot, VirtualVolume parent) {
    return spaces.ofVolumes(List.of(parent.id())).stream()
        .findFirst()
        .map(
            usage -> {
              PrepareSnapshotResult result = new PrepareSnapshotResult();
              result.setSnapshotId(Identifiers.text(snapshot));
              result.setParentInfo(VolumeMapper.info(parent));
              result.setParentStats(VolumeMapper.stats(usage));
              return result;
            });
  }
}
