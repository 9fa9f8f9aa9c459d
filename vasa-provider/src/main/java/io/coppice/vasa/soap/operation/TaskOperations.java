package io.coppice.vasa.soap.operation;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.task.Tasks;
import io.coppice.wsdl.service.CancelTask;
import io.coppice.wsdl.vvol.TaskInfo;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on tasks.
@Component
public final class TaskOperations {

  /// Task ids in the form of [Tasks#idOf].
  private static final Pattern TASK =
      Pattern.compile("[a-z][A-Za-z0-9-]{0,99}:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Tasks tasks;
  private final TaskMapper mapper;
  private final ArrayIdentity array;

  TaskOperations(Tasks tasks, TaskMapper mapper, ArrayIdentity array) {
    this.tasks = tasks;
    this.mapper = mapper;
    this.array = array;
  }

  public TaskInfo getTaskUpdate(@Nullable String taskId) {
    return mapper.info(tasks.require(checked(taskId)));
  }

  public List<TaskInfo> getCurrentTask(@Nullable String arrayId) {
    if (arrayId != null) {
      array.check(arrayId);
    }
    return tasks.unfinished().stream().map(mapper::info).toList();
  }

  public void cancelTask(CancelTask parameters) {
    tasks.cancel(checked(parameters.getTaskId()));
  }

  private static String checked(@Nullable String taskId) {
    if (taskId == null || taskId.isBlank()) {
      throw VasaException.invalidArgument("expected the id of a task, got none");
    }
    if (!TASK.matcher(taskId).matches()) {
      throw VasaException.invalidArgument(
          "expected the id of a task, an operation and a UUID, got '%s'"
              .formatted(Xml.shortened(taskId)));
    }
    return taskId;
  }
}
