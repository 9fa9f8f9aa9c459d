package io.coppice.admin.job;

import io.coppice.admin.list.ListQuery;
import io.coppice.api.Page;
import io.coppice.api.job.Job;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  Page<Job> list(@ParameterObject ListQuery query) {
    return query.page(
        new ListQuery.Rows<VasaTask>(
            this::part, tasks::count, task -> ListQuery.key(task.started(), task.id())),
        part -> part.stream().map(Jobs::view).toList());
  }

  private List<VasaTask> part(@Nullable String after, int limit) {
    if (after == null) {
      return tasks.latest(limit);
    }
    ListQuery.TimeKey key = ListQuery.TimeKey.parse(after);
    return tasks.before(key.time(), key.id(), limit);
  }

  @GetMapping("/jobs/{id}")
  Job get(@PathVariable String id) {
    return Jobs.view(tasks.require(id));
  }
}
