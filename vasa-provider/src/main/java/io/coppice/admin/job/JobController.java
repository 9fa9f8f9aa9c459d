package io.coppice.admin.job;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Page;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
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

  private final class Newest implements ListQuery.Rows<VasaTask> {

    @Override
    public List<VasaTask> first(int limit) {
      return tasks.latest(limit);
    }

    @Override
    public List<VasaTask> after(String cursor, int limit) {
      ListQuery.TimeKey key = ListQuery.TimeKey.parse(cursor);
      return tasks.before(key.time(), key.id(), limit);
    }

    @Override
    public int count() {
      return tasks.count();
    }

    @Override
    public String key(VasaTask task) {
      return ListQuery.key(task.started(), task.id());
    }
  }

  @GetMapping("/jobs/{id}")
  Jobs.Job get(@PathVariable String id) {
    return Jobs.view(tasks.require(id));
  }
}
