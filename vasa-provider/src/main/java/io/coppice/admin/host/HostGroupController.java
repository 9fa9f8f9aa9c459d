package io.coppice.admin.host;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.field.NameField;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.host.HostGroupDraft;
import io.coppice.api.host.NamedHosts;
import io.coppice.vasa.export.HostGroup;
import io.coppice.vasa.export.PlainHosts;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

/// Groups of hosts that get the same exports.
@RestController
final class HostGroupController {

  private static final Orders<HostGroup> ORDERS =
      Orders.<HostGroup>ofIds("id", HostGroup::id)
          .text("id", HostGroup::id)
          .text("name", HostGroup::name);

  private final PlainHosts hosts;

  HostGroupController(PlainHosts hosts) {
    this.hosts = hosts;
  }

  @GetMapping("/host-groups")
  @WithinContainers
  Page<NamedHosts> list(
      @ParameterObject @SortedBy({"id", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    List<HostGroup> some =
        hosts.groups().stream().filter(it -> name == null || it.name().equals(name)).toList();
    return query.page(some, ORDERS, HostGroupController::view);
  }

  @PostMapping("/host-groups")
  Edited<NamedHosts> create(@RequestBody HostGroupDraft wanted) {
    String name = NameField.oneLine(wanted.name());
    Set<UUID> members = given(Objects.requireNonNullElse(wanted.hosts(), List.of()));
    HostGroup made =
        RequestRejectedException.about("hosts", () -> hosts.createGroup(name, members));
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/host-groups/" + made.id()), view(made), edition(made));
  }

  private static Set<UUID> given(List<UUID> ids) {
    if (ids.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field("hosts", "expected ids of hosts, got null");
    }
    return Set.copyOf(ids);
  }

  @GetMapping("/host-groups/{id}")
  @WithinContainers
  Edited<NamedHosts> get(@PathVariable UUID id) {
    return edited(hosts.requireGroup(id));
  }

  private static Edited<NamedHosts> edited(HostGroup group) {
    return Edited.of(view(group), edition(group));
  }

  private static Edition edition(HostGroup one) {
    return Edition.of(one.id()).with("name", one.name()).with("hosts", one.hosts());
  }

  /// Changes a group. Its exports follow: new hosts reach them, and no command runs any more of
  /// those that were taken away.
  @PatchMapping("/host-groups/{id}")
  Edited<NamedHosts> change(
      @PathVariable UUID id, @RequestBody HostGroupDraft wanted, IfMatch ifMatch) {
    hosts.requireGroup(id);
    Optional<String> name = Optional.ofNullable(wanted.name()).map(NameField::oneLine);
    Optional<Set<UUID>> members =
        Optional.ofNullable(wanted.hosts()).map(HostGroupController::given);
    return hosts.alone(
        () -> {
          ifMatch.require(() -> edition(hosts.requireGroup(id)));
          return edited(
              RequestRejectedException.about(
                  "hosts", () -> hosts.changeGroup(id, name, now -> members.orElse(now))));
        });
  }

  /// Forgets a group that no export names; its hosts stay.
  @DeleteMapping("/host-groups/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    hosts.doAlone(
        () -> {
          ifMatch.require(() -> edition(hosts.requireGroup(id)));
          hosts.deleteGroup(id);
        });
  }

  private static NamedHosts view(HostGroup group) {
    return new NamedHosts(group.id(), group.name(), List.copyOf(group.hosts()));
  }
}
