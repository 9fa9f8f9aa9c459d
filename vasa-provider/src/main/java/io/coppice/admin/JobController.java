package io.coppice.admin;

import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.Tasks;
import java.util.List;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Jobs: what became of operations of REST and VASA, newest first, for a day after their end.
@RestController
final class JobController {

  private final Tasks tasks;

  JobController(Tasks tasks) {
    this.tasks = tasks;
  }

  @GetMapping("/jobs")
  Page<Jobs.Job> list(@ParameterObject ListQuery query) {
    return query.page(new Newest(), tasks -> tasks.stream().map(Jobs::view).toList());
  }

  private final class Newest implements ListQuery.Rows<Task> {

    @Override
    public List<Task> first(int limit) {
      return tasks.latest(limit);
    }

    @Override
    public List<Task> after(String cursor, int limit) {
      ListQuery.TimeKey key = ListQuery.TimeKey.parse(cursor);
      return tasks.before(key.time(), key.id(), limit);
    }

    @Override
    public int count() {
      return tasks.count();
    }

    @Override
    public String key(Task task) {
      return ListQuery.key(task.started(), task.id());
    }
  }

  @GetMapping("/jobs/{id}")
  Jobs.Job get(@PathVariable String id) {
    return Jobs.view(tasks.require(id));
  }
}
