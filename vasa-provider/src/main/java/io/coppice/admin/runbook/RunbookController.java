package io.coppice.admin.runbook;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.runbook.RunReport;
import io.coppice.api.runbook.RunbookDraft;
import io.coppice.api.runbook.RunbookOrder;
import io.coppice.api.runbook.RunbookView;
import io.coppice.vasa.replication.runbook.Runbook;
import io.coppice.vasa.replication.runbook.RunbookNames;
import io.coppice.vasa.replication.runbook.RunbookRun;
import io.coppice.vasa.replication.runbook.RunbookRuns;
import io.coppice.vasa.replication.runbook.Runbooks;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Runbooks: what fails over in which order, and how its tests went.
@RestController
final class RunbookController {

  private static final String KIND = "runbooks";
  private static final String PATH = "/replication/runbooks";
  private static final String ONE = PATH + "/{id}";

  private static final Orders<Runbook> ORDERS =
      Orders.<Runbook>ofIds("name", Runbook::id).text("name", runbook -> runbook.plan().name());

  private static final Orders<RunbookRun> RUNS =
      Orders.<RunbookRun>ofIds("-number", RunbookRun::id)
          .number("number", RunbookRun::number)
          .time("begun", RunbookRun::begun)
          .time("ended", RunbookRun::ended);

  private final Runbooks runbooks;
  private final RunbookRuns runs;
  private final RunbookFields fields;
  private final RunbookViews views;
  private final Turns turns;

  RunbookController(
      Runbooks runbooks, RunbookRuns runs, RunbookNames names, RunbookViews views, Turns turns) {
    this.runbooks = runbooks;
    this.runs = runs;
    this.fields = new RunbookFields(names);
    this.views = views;
    this.turns = turns;
  }

  @GetMapping(PATH)
  Page<RunbookView> list(
      @ParameterObject @SortedBy("name") ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        runbooks.list().stream()
            .filter(runbook -> name == null || runbook.plan().name().equals(name))
            .toList(),
        ORDERS,
        views::view);
  }

  @PostMapping(PATH)
  Edited<RunbookView> create(@RequestBody RunbookDraft wanted) {
    Runbook made = runbooks.create(fields.parse(wanted));
    return Edited.made(
        URI.create(ApiFilter.ROOT + PATH + "/" + made.id()), views.view(made), edition(made));
  }

  @GetMapping(ONE)
  Edited<RunbookView> get(@PathVariable UUID id) {
    return edited(runbooks.require(id));
  }

  @PatchMapping(ONE)
  Edited<RunbookView> change(
      @PathVariable UUID id, @RequestBody RunbookDraft wanted, IfMatch ifMatch) {
    return turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(runbooks.require(id)));
          return edited(runbooks.change(id, now -> fields.change(now, wanted)));
        });
  }

  /// Forgets a runbook and its reports.
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(@PathVariable UUID id, IfMatch ifMatch) {
    turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(runbooks.require(id)));
          runbooks.remove(id);
          return id;
        });
  }

  /// Says what would happen; the report is kept.
  @PostMapping(ONE + "/check")
  @RequiredRole(Role.OPERATOR)
  @ResponseStatus(HttpStatus.OK)
  RunReport check(@PathVariable UUID id) {
    return RunbookViews.view(runs.check(id));
  }

  /// Begins to fail over.
  @PostMapping(ONE + "/run")
  @ResponseStatus(HttpStatus.ACCEPTED)
  RunReport run(
      @PathVariable UUID id, @RequestBody(required = false) @Nullable RunbookOrder order) {
    return RunbookViews.view(runs.run(id, order != null && Boolean.TRUE.equals(order.planned())));
  }

  /// Begins a test.
  @PostMapping(ONE + "/test")
  @ResponseStatus(HttpStatus.ACCEPTED)
  RunReport test(@PathVariable UUID id) {
    return RunbookViews.view(runs.test(id));
  }

  /// Ends a test.
  @DeleteMapping(ONE + "/test")
  @ResponseStatus(HttpStatus.OK)
  RunReport endTest(@PathVariable UUID id) {
    return RunbookViews.view(runs.endTest(id));
  }

  @GetMapping(ONE + "/runs")
  Page<RunReport> runs(
      @PathVariable UUID id,
      @ParameterObject @SortedBy({"-number", "begun", "ended"}) ListQuery query) {
    return query.page(runbooks.runs(id), RUNS, RunbookViews::view);
  }

  @GetMapping(ONE + "/runs/{run}")
  RunReport report(@PathVariable UUID id, @PathVariable UUID run) {
    return RunbookViews.view(runbooks.run(id, run));
  }

  private Edited<RunbookView> edited(Runbook runbook) {
    return Edited.of(views.view(runbook), edition(runbook));
  }

  private static Edition edition(Runbook runbook) {
    return Edition.of(runbook.id()).with("plan", runbook.plan().toString());
  }
}
