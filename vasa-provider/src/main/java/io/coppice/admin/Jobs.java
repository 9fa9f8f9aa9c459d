package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;

/// Tasks of the services as jobs of REST.
final class Jobs {

  private Jobs() {}

  /// The volume that a task made that has succeeded.
  static VolumeId madeBy(Task task) {
    if (task.state() instanceof TaskState.Success(var _, TaskResult.NewVolume(VolumeId volume))) {
      return volume;
    }
    throw new IllegalStateException("expected a task that made a volume, got " + task);
  }
}
