package io.coppice.admin.job;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.job.Job;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Jobs: what became of operations of REST and VASA, newest first, for a day after their end.
@RestController
final class JobController {

  private static final Orders<VasaTask> ORDERS =
      Orders.usually("-created", VasaTask::id)
          .time("created", VasaTask::started)
          .time("finished", VasaTask::finished)
          .text("name", VasaTask::name);

  private final Tasks tasks;

  JobController(Tasks tasks) {
    this.tasks = tasks;
  }

  @GetMapping("/jobs")
  @WithinContainers
  Page<Job> list(
      @ParameterObject @SortedBy({"-created", "finished", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        new ListQuery.Rows<>(
            (order, limit) -> tasks.page(name, order, limit), () -> tasks.count(name), ORDERS),
        part -> part.stream().map(Jobs::view).toList());
  }

  @GetMapping("/jobs/{id}")
  @WithinContainers
  Job get(@PathVariable String id) {
    return Jobs.view(tasks.require(id));
  }
}
