package io.coppice.admin.host;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.NameField;
import io.coppice.admin.host.HostViews.Found;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.host.Bound;
import io.coppice.api.host.Host;
import io.coppice.api.host.HostDraft;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSessions;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Hosts and what they have bound, as the pool has it.
@RestController
final class HostController {

  private static final Orders<Found> ORDERS =
      Orders.usually("id", Found::id)
          .text("id", Found::id)
          .text("name", HostController::nameOf)
          .text("managedBy", Found::managedBy);

  private static final Orders<Binding> BINDINGS =
      Orders.usually("host", HostController::key)
          .text("host", binding -> binding.host().value())
          .text("vvol", Binding::volume)
          .number("protocolEndpoint", binding -> binding.endpoint().lun());

  private final KnownHosts known;
  private final Bindings bindings;
  private final VasaSessions sessions;
  private final TrustSets trust;
  private final PlainHosts plain;
  private final HostViews views;
  private final Turns turns;

  HostController(
      KnownHosts known,
      Bindings bindings,
      VasaSessions sessions,
      TrustSets trust,
      PlainHosts plain,
      HostViews views,
      Turns turns) {
    this.turns = turns;
    this.known = known;
    this.bindings = bindings;
    this.sessions = sessions;
    this.trust = trust;
    this.plain = plain;
    this.views = views;
  }

  @GetMapping("/hosts")
  @WithinContainers
  Page<Host> list(
      @ParameterObject @SortedBy({"id", "name", "managedBy"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable String initiator,
      @RequestParam(required = false) @Nullable String managedBy) {
    if (managedBy != null && !HostViews.MANAGERS.contains(managedBy)) {
      throw RequestRejectedException.field(
          "managedBy", "expected one of %s, got '%s'".formatted(HostViews.MANAGERS, managedBy));
    }
    List<Found> some =
        views.all().stream()
            .filter(it -> name == null || isCalled(it, name))
            .filter(it -> initiator == null || it.initiators().contains(lower(initiator)))
            .filter(it -> managedBy == null || it.managedBy().equals(managedBy))
            .toList();
    return query.pageAtOnce(some, ORDERS, views::of);
  }

  private static boolean isCalled(Found host, String name) {
    return name.equals(nameOf(host));
  }

  private static @Nullable String nameOf(Found host) {
    return host instanceof Found.OfAdmin(PlainHost one) ? one.name() : null;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @PostMapping("/hosts")
  Edited<Host> create(@RequestBody HostDraft wanted) {
    String name = NameField.oneLine(wanted.name());
    List<String> initiators =
        RequestRejectedException.requireField("initiators", wanted.initiators());
    PlainHost made =
        RequestRejectedException.about(
            "initiators", () -> plain.createHost(name, given(initiators)));
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/hosts/" + made.id()), views.of(made), edition(made));
  }

  private static Set<String> given(List<String> initiators) {
    if (initiators.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field("initiators", "expected iSCSI names, got null");
    }
    return Set.copyOf(initiators);
  }

  @GetMapping("/hosts/{id}")
  @WithinContainers
  Edited<Host> get(@PathVariable String id) {
    Found found = require(id);
    return Edited.of(views.of(List.of(found)).getFirst(), edition(found));
  }

  private static Edition edition(Found found) {
    return switch (found) {
      case Found.OfAdmin(PlainHost host) -> edition(host);
      case Found.OfVcenter(HostId host, var initiators) ->
          Edition.of(host.value()).with("initiators", Set.copyOf(initiators));
    };
  }

  private static Edition edition(PlainHost one) {
    return Edition.of(one.id()).with("name", one.name()).with("initiators", one.initiators());
  }

  private Found require(String id) {
    return views.all().stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("host", id));
  }

  /// Changes a host that an administrator made. Its exports follow: new initiators reach them, and
  /// no command runs any more of those that were taken away.
  @PatchMapping("/hosts/{id}")
  Edited<Host> change(@PathVariable String id, @RequestBody HostDraft wanted, IfMatch ifMatch) {
    Optional<String> name = Optional.ofNullable(wanted.name()).map(NameField::oneLine);
    Optional<Set<String>> names =
        Optional.ofNullable(wanted.initiators()).map(HostController::given);
    UUID host = requirePlain(id);
    PlainHost changed =
        plain.alone(
            () -> {
              ifMatch.require(() -> edition(plain.requireHost(host)));
              return RequestRejectedException.about(
                  "initiators", () -> plain.changeHost(host, name, now -> names.orElse(now)));
            });
    return Edited.of(views.of(changed), edition(changed));
  }

  private UUID requirePlain(String id) {
    if (require(id) instanceof Found.OfAdmin(PlainHost host)) {
      return host.id();
    }
    throw RequestRejectedException.conflict(
        "managed-by-vcenter",
        id,
        "expected a host that an administrator made, but %s declared itself".formatted(id));
  }

  /// Gives a host one more initiator, also at its exports. Repeatable.
  @PutMapping("/hosts/{id}/initiators/{iqn}")
  Host addInitiator(@PathVariable String id, @PathVariable String iqn) {
    UUID host = requirePlain(id);
    return views.of(
        RequestRejectedException.about(
            "iqn",
            () -> plain.changeHost(host, Optional.empty(), names -> with(names, lower(iqn)))));
  }

  private static Set<String> with(Set<String> names, String one) {
    Set<String> more = new TreeSet<>(names);
    more.add(one);
    return more;
  }

  /// Takes an initiator from a host, also at its exports: a fence, as for one export. Repeatable.
  @DeleteMapping("/hosts/{id}/initiators/{iqn}")
  Host removeInitiator(@PathVariable String id, @PathVariable String iqn) {
    UUID host = requirePlain(id);
    return views.of(
        RequestRejectedException.about(
            "iqn",
            () -> plain.changeHost(host, Optional.empty(), names -> without(names, lower(iqn)))));
  }

  private static Set<String> without(Set<String> names, String one) {
    Set<String> less = new TreeSet<>(names);
    less.remove(one);
    return less;
  }

  /// Forgets a host. One that an administrator made has no exports and is in no group. One of
  /// vCenter is gone for good, with its initiators and its claim on their names: the next client
  /// that comes with them owns them. A host with bindings takes `force`, which ends them. No
  /// vCenter could end them if the host belongs to no registration any more.
  @DeleteMapping("/hosts/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forget(
      @PathVariable String id,
      @RequestParam(defaultValue = "false") boolean force,
      IfMatch ifMatch) {
    switch (require(id)) {
      case Found.OfAdmin(PlainHost host) -> plain.doAlone(() -> forget(host.id(), ifMatch));
      case Found.OfVcenter(HostId host, var _) ->
          turns.doAlone(
              "hosts",
              id,
              () -> {
                ifMatch.require(() -> edition(require(id)));
                forget(host, force);
              });
    }
  }

  private void forget(UUID host, IfMatch ifMatch) {
    ifMatch.require(() -> edition(plain.requireHost(host)));
    plain.deleteHost(host);
  }

  private void forget(HostId host, boolean force) {
    String id = host.value();
    if (sessions.hostsLastSeen().containsKey(host)) {
      throw RequestRejectedException.conflict(
          "in-use", id, "expected a host without an open VASA session, but it has one");
    }
    long bound = bindings.list().stream().filter(one -> one.host().equals(host)).count();
    if (bound > 0 && !force) {
      throw RequestRejectedException.conflict(
          "in-use",
          id,
          "expected a host without bindings, but it has %d: ?force=true ends them"
              .formatted(bound));
    }
    if (bound > 0) {
      bindings.unbindAll(host);
    }
    trust.forgetHost(host.value(), known.initiatorsOf(host));
    known.forgetUnbound(host); // it may have come back since
  }

  @GetMapping("/bindings")
  Page<Bound> bindings(
      @ParameterObject @SortedBy({"host", "vvol", "protocolEndpoint"}) ListQuery query,
      @RequestParam(required = false) @Nullable String host,
      @RequestParam(required = false) @Nullable UUID vvol) {
    Map<String, Integer> former =
        bindings.former().stream()
            .collect(Collectors.toMap(HostController::key, one -> one.endpoint().lun()));
    List<Binding> all = vvol == null ? bindings.list() : bindings.of(new VolumeId(vvol));
    return query.page(
        all.stream().filter(one -> host == null || one.host().value().equals(host)).toList(),
        BINDINGS,
        one ->
            new Bound(
                one.host().value(),
                one.volume().value(),
                one.endpoint().lun(),
                one.secondaryId(),
                one.count(),
                former.get(key(one))));
  }

  private static String key(Binding binding) {
    return binding.host() + "/" + binding.volume();
  }
}
