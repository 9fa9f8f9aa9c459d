package io.coppice.admin.iscsi;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.iscsi.EndedExport;
import io.coppice.api.iscsi.HoldingSession;
import io.coppice.api.iscsi.NewExport;
import io.coppice.api.iscsi.PlainUnit;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.transport.OpenSession;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Volumes served as plain logical units.
@RestController
final class ExportController {

  private static final int LAST_LUN = 16_383;

  private static final Orders<Export> ORDERS =
      Orders.<Export>ofIds("lun", Export::volume)
          .number("lun", Export::lun)
          .text("vvol", Export::volume);

  private final Exports exports;
  private final VirtualVolumes volumes;
  private final ExportViews views;

  ExportController(Exports exports, VirtualVolumes volumes, ExportViews views) {
    this.exports = exports;
    this.volumes = volumes;
    this.views = views;
  }

  @GetMapping("/exports")
  @WithinContainers
  Page<PlainUnit> list(
      @ParameterObject @SortedBy({"lun", "vvol", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable UUID host,
      @RequestParam(required = false) @Nullable UUID vvol) {
    Predicate<VolumeId> named = host == null ? _ -> true : exports.volumesFor(host)::contains;
    List<Export> all =
        exports.list().stream()
            .filter(one -> vvol == null || one.volume().value().equals(vvol))
            .filter(one -> named.test(one.volume()))
            .toList();
    Map<VolumeId, String> names =
        name == null && !query.isSortedBy("name") ? Map.of() : views.namesOf(all);
    return query.pageAtOnce(
        all.stream().filter(one -> name == null || name.equals(names.get(one.volume()))).toList(),
        ORDERS.text("name", one -> names.get(one.volume())),
        views::of);
  }

  @PostMapping("/exports")
  @WithinContainers
  Edited<PlainUnit> create(@RequestBody NewExport wanted, HttpServletRequest request) {
    boolean force = Boolean.TRUE.equals(wanted.force());
    if (force) {
      RoleCheck.require(AdminCaller.of(request), Role.ADMIN);
    }
    VolumeId volume = new VolumeId(RequestRejectedException.requireField("vvol", wanted.vvol()));
    ExportAudience audience = audience(wanted.initiators(), wanted.hosts(), wanted.groups());
    Optional<Integer> lun = lun(wanted);
    Optional<Boolean> readOnly = Optional.ofNullable(wanted.readOnly());
    RequestRejectedException.about("vvol", () -> volumes.require(volume));
    Export made =
        RequestRejectedException.about(
            "initiators", () -> exports.export(volume, lun, readOnly, audience, force));
    PlainUnit view = views.of(made);
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/exports/" + made.volume()), view, edition(view));
  }

  private static Optional<Integer> lun(NewExport wanted) {
    Integer lun = wanted.lun();
    if (lun != null && (lun < 0 || lun > LAST_LUN)) {
      throw RequestRejectedException.field(
          "lun", "expected 0 to %d, got %d".formatted(LAST_LUN, lun));
    }
    return Optional.ofNullable(lun);
  }

  static ExportAudience audience(
      @Nullable List<String> initiators, @Nullable List<UUID> hosts, @Nullable List<UUID> groups) {
    if (initiators == null && hosts == null && groups == null) {
      throw RequestRejectedException.field(
          "initiators", "expected initiators, hosts or groups, got none of them");
    }
    return new ExportAudience(
        given("initiators", initiators), given("hosts", hosts), given("groups", groups));
  }

  private static <T> List<T> given(String field, @Nullable List<T> some) {
    List<T> all = Objects.requireNonNullElse(some, List.of());
    if (all.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field(field, "expected names or ids, got null");
    }
    return all;
  }

  @GetMapping("/exports/{vvol}")
  @WithinContainers
  Edited<PlainUnit> get(@PathVariable UUID vvol) {
    PlainUnit view = views.of(exports.require(new VolumeId(vvol)));
    return Edited.of(view, edition(view));
  }

  private static Edition edition(PlainUnit one) {
    return Edition.of(one.vvol())
        .with("lun", one.lun())
        .with("readOnly", one.readOnly())
        .with("initiators", Set.copyOf(one.initiators()))
        .with("hosts", Set.copyOf(one.hosts()))
        .with("groups", Set.copyOf(one.groups()));
  }

  /// Serves the volume to one more initiator. Repeatable.
  @PutMapping("/exports/{vvol}/initiators/{iqn}")
  @WithinContainers
  PlainUnit addInitiator(@PathVariable UUID vvol, @PathVariable String iqn) {
    VolumeId volume = exports.require(new VolumeId(vvol)).volume();
    return views.of(RequestRejectedException.about("iqn", () -> exports.addInitiator(volume, iqn)));
  }

  /// Takes the volume away from one initiator. Repeatable. It answers when none of the initiator's
  /// commands runs there any more, so that another host may take over.
  @DeleteMapping("/exports/{vvol}/initiators/{iqn}")
  @WithinContainers
  PlainUnit removeInitiator(@PathVariable UUID vvol, @PathVariable String iqn) {
    VolumeId volume = exports.require(new VolumeId(vvol)).volume();
    return views.of(
        RequestRejectedException.about("iqn", () -> exports.removeInitiator(volume, iqn)));
  }

  /// Serves the volume to all initiators of one more host, also to those that it gets later.
  /// Repeatable.
  @PutMapping("/exports/{vvol}/hosts/{id}")
  @WithinContainers
  PlainUnit addHost(@PathVariable UUID vvol, @PathVariable UUID id) {
    return views.of(
        RequestRejectedException.about("id", () -> exports.addHost(new VolumeId(vvol), id)));
  }

  /// Takes the volume away from a host. Repeatable. It answers when no command runs any more of
  /// those of its initiators that have no other claim.
  @DeleteMapping("/exports/{vvol}/hosts/{id}")
  @WithinContainers
  PlainUnit removeHost(@PathVariable UUID vvol, @PathVariable UUID id) {
    return views.of(
        RequestRejectedException.about("id", () -> exports.removeHost(new VolumeId(vvol), id)));
  }

  /// Serves the volume to all hosts of one more group, also to those that it gets later.
  /// Repeatable.
  @PutMapping("/exports/{vvol}/groups/{id}")
  @WithinContainers
  PlainUnit addGroup(@PathVariable UUID vvol, @PathVariable UUID id) {
    return views.of(
        RequestRejectedException.about("id", () -> exports.addGroup(new VolumeId(vvol), id)));
  }

  /// Takes the volume away from a group, as from each of its hosts. Repeatable.
  @DeleteMapping("/exports/{vvol}/groups/{id}")
  @WithinContainers
  PlainUnit removeGroup(@PathVariable UUID vvol, @PathVariable UUID id) {
    return views.of(
        RequestRejectedException.about("id", () -> exports.removeGroup(new VolumeId(vvol), id)));
  }

  @DeleteMapping("/exports/{vvol}")
  @WithinContainers
  EndedExport delete(@PathVariable UUID vvol, IfMatch ifMatch) {
    VolumeId volume = new VolumeId(vvol);
    FormerExport former =
        exports.alone(
            volume,
            () -> {
              ifMatch.require(() -> edition(views.of(exports.require(volume))));
              return exports.unexport(volume);
            });
    return new EndedExport(
        vvol,
        exports.naaOf(former.export().volume()),
        former.export().lun(),
        former.restsUntil(),
        former.sessions().stream().map(ExportController::view).toList());
  }

  private static HoldingSession view(OpenSession session) {
    return new HoldingSession(
        session.initiator().name(),
        session.isid(),
        session.origin().portal(),
        session.origin().address());
  }
}
