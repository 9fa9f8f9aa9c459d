package io.coppice.vasa.soap.translate;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.soap.fault.FaultBeans;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.task.TaskProgress;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.wsdl.vvol.ObjectFactory;
import io.coppice.wsdl.vvol.PrepareSnapshotResult;
import io.coppice.wsdl.vvol.TaskInfo;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Tasks on the wire. A snapshot's preparation reads the facts about its parent when it is asked
/// for.
@Component
public final class TaskMapper {

  private static final ObjectFactory VVOL = new ObjectFactory();

  private final VirtualVolumes volumes;
  private final SpaceStatistics spaces;
  private final ArrayIdentity array;
  private final Tasks tasks;

  public TaskMapper(
      VirtualVolumes volumes, SpaceStatistics spaces, ArrayIdentity array, Tasks tasks) {
    this.tasks = tasks;
    this.volumes = volumes;
    this.spaces = spaces;
    this.array = array;
  }

  public TaskInfo info(VasaTask task) {
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
      case TaskState.Running _ -> {
        info.setTaskState("Running");
        tasks.progressOf(task.id()).ifPresent(progress -> report(info, progress));
      }
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
      case TaskState.Cancelled _ -> {
        info.setTaskState("Error");
        info.setCancelled(true);
        info.setError(
            VVOL.createTaskInfoError(
                FaultBeans.of(new Fault.StorageFault("io.coppice.fault.TaskCancelled"))));
      }
    }
    return info;
  }

  private void report(TaskInfo info, TaskProgress progress) {
    info.setCancelable(true);
    info.setProgressUpdateAvailable(true);
    info.setProgress(progress.percent());
    tasks
        .estimatedEnd(info.getTaskId())
        .ifPresent(
            end ->
                info.setEstimatedTimeToComplete(
                    VVOL.createTaskInfoEstimatedTimeToComplete(Xml.time(end))));
  }

  private Optional<Object> result(TaskResult result) {
    return switch (result) {
      case TaskResult.None _, TaskResult.Reverted _ -> Optional.empty();
      case TaskResult.NewVolumeAt(VolumeId volume, var _) -> Optional.of(Identifiers.text(volume));
      case TaskResult.NewVolume(VolumeId volume) -> Optional.of(Identifiers.text(volume));
      case TaskResult.PreparedSnapshot(VolumeId snapshot) ->
          prepared(snapshot).map(Object.class::cast);
    };
  }

  /// The result of a preparation; empty once the snapshot or its parent is gone.
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
