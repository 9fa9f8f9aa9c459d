package io.coppice.admin.replication;

import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.history.RecordedHistory;
import io.coppice.api.replication.FailOverOrder;
import io.coppice.api.replication.FailOverTest;
import io.coppice.api.replication.MadeReplica;
import io.coppice.api.replication.PointInTime;
import io.coppice.api.replication.ReplicationGroupDraft;
import io.coppice.api.replication.ReplicationGroupView;
import io.coppice.api.replication.WantedReplica;
import io.coppice.replication.Replica;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import java.net.URI;
import java.util.List;
import java.util.Objects;
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

/// Replication groups: what goes to another pool, and what came from one.
@RestController
final class ReplicationGroupController {

  private static final String KIND = "replication-groups";
  private static final String PATH = "/replication/groups";
  private static final String ONE = PATH + "/{id}";

  private static final Orders<ReplicatedGroup> ORDERS =
      Orders.<ReplicatedGroup>ofIds("name", ReplicatedGroup::id)
          .text("name", group -> group.plan().name())
          .time("since", ReplicatedGroup::since);

  private static final Orders<Replica> REPLICAS =
      Orders.<Replica>ofIds("-number", Replica::cycle)
          .number("number", Replica::number)
          .time("taken", Replica::taken)
          .text("name", Replica::name);

  private final ReplicationGroups groups;
  private final GroupViews views;
  private final LagViews lags;
  private final Turns turns;

  ReplicationGroupController(
      ReplicationGroups groups, GroupViews views, LagViews lags, Turns turns) {
    this.groups = groups;
    this.views = views;
    this.lags = lags;
    this.turns = turns;
  }

  @GetMapping(PATH)
  Page<ReplicationGroupView> list(
      @ParameterObject @SortedBy({"name", "since"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable UUID peer) {
    return query.page(
        groups.list().stream()
            .filter(group -> name == null || group.plan().name().equals(name))
            .filter(group -> peer == null || group.plan().peer().equals(peer))
            .toList(),
        ORDERS,
        views::view);
  }

  @PostMapping(PATH)
  Edited<ReplicationGroupView> create(@RequestBody ReplicationGroupDraft wanted) {
    ReplicatedGroup made = groups.create(GroupFields.parse(wanted));
    return Edited.made(
        URI.create(ApiFilter.ROOT + PATH + "/" + made.id()), views.view(made), edition(made));
  }

  @GetMapping(ONE)
  Edited<ReplicationGroupView> get(@PathVariable UUID id) {
    return edited(groups.require(id));
  }

  @PatchMapping(ONE)
  Edited<ReplicationGroupView> change(
      @PathVariable UUID id, @RequestBody ReplicationGroupDraft wanted, IfMatch ifMatch) {
    return turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(groups.require(id)));
          return edited(groups.change(id, now -> GroupFields.change(now, wanted)));
        });
  }

  /// Ends the replication at this end.
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(@PathVariable UUID id, IfMatch ifMatch) {
    turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(groups.require(id)));
          groups.remove(id);
          return id;
        });
  }

  /// The lag of the last day, and the bytes of its cycles.
  @GetMapping(ONE + "/history")
  RecordedHistory history(@PathVariable UUID id) {
    return lags.view(groups.require(id));
  }

  @GetMapping(ONE + "/replicas")
  Page<PointInTime> replicas(
      @PathVariable UUID id,
      @ParameterObject @SortedBy({"-number", "taken", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    List<Replica> chosen =
        groups.replicas(id).stream()
            .filter(replica -> name == null || replica.name().equals(name))
            .toList();
    return query.page(chosen, REPLICAS, views::view);
  }

  /// Runs a cycle now, and answers when the target has the replica.
  @PostMapping(ONE + "/synchronize")
  @ResponseStatus(HttpStatus.OK)
  MadeReplica synchronize(
      @PathVariable UUID id, @RequestBody(required = false) @Nullable WantedReplica wanted) {
    String name = wanted == null ? null : wanted.name();
    List<String> tags = wanted == null ? null : wanted.tags();
    return new MadeReplica(
        groups.synchronize(
            id, Objects.requireNonNullElse(name, ""), Objects.requireNonNullElse(tags, List.of())));
  }

  /// Prepares a planned fail-over, at the source.
  @PostMapping(ONE + "/prepare")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView prepare(@PathVariable UUID id) {
    return views.view(groups.roles().prepare(id));
  }

  /// Makes a replica the running volumes, at the target.
  @PostMapping(ONE + "/fail-over")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView failOver(
      @PathVariable UUID id, @RequestBody(required = false) @Nullable FailOverOrder order) {
    return views.view(
        order == null
            ? groups.roles().failOver(id, null, false, false)
            : groups
                .roles()
                .failOver(
                    id,
                    order.replica(),
                    Boolean.TRUE.equals(order.planned()),
                    Boolean.TRUE.equals(order.checkOnly())));
  }

  /// Shows a replica as volumes for a test, at the target.
  @PostMapping(ONE + "/test")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView startTest(
      @PathVariable UUID id, @RequestBody(required = false) @Nullable FailOverTest test) {
    return views.view(
        test == null
            ? groups.roles().startTest(id, null, false)
            : groups.roles().startTest(id, test.replica(), Boolean.TRUE.equals(test.checkOnly())));
  }

  /// Ends a test: its volumes are deleted for good.
  @DeleteMapping(ONE + "/test")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView stopTest(@PathVariable UUID id) {
    return views.view(groups.roles().stopTest(id));
  }

  /// Makes the volumes of a test the running ones.
  @PostMapping(ONE + "/promote")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView promote(@PathVariable UUID id) {
    return views.view(groups.roles().promote(id, false));
  }

  /// Makes this end the source and the other one the target.
  @PostMapping(ONE + "/reverse")
  @ResponseStatus(HttpStatus.OK)
  ReplicationGroupView reverse(@PathVariable UUID id) {
    return views.view(groups.roles().reverse(id));
  }

  private Edited<ReplicationGroupView> edited(ReplicatedGroup group) {
    return Edited.of(views.view(group), edition(group));
  }

  private static Edition edition(ReplicatedGroup group) {
    return Edition.of(group.id())
        .with("plan", group.plan().toString())
        .with("state", group.state().name())
        .with("since", group.since());
  }
}
