package io.coppice.admin;

import io.coppice.vasa.task.Tasks;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Jobs: what became of operations of REST and VASA, newest first, for a day after their end.
@RestController
final class JobController {

  private static final int NEWEST = 1000;

  private final Tasks tasks;

  JobController(Tasks tasks) {
    this.tasks = tasks;
  }

  @GetMapping("/jobs")
  Page<Jobs.Job> list(@ParameterObject ListQuery query) {
    return query.pageFromLast(
        tasks.latest(NEWEST), task -> ListQuery.key(task.started(), task.id()), Jobs::view);
  }

  @GetMapping("/jobs/{id}")
  Jobs.Job get(@PathVariable String id) {
    return Jobs.view(tasks.require(id));
  }
}
