package io.coppice.admin.iscsi;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.list.ListQuery;
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
import io.coppice.vasa.binding.Exports;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Volumes served as plain logical units.
@RestController
final class ExportController {

  private static final int LAST_LUN = 16_383;

  private final Exports exports;
  private final VirtualVolumes volumes;
  private final SystemFacts facts;

  ExportController(Exports exports, VirtualVolumes volumes, SystemFacts facts) {
    this.exports = exports;
    this.volumes = volumes;
    this.facts = facts;
  }

  @GetMapping("/exports")
  Page<PlainUnit> list(@ParameterObject ListQuery query) {
    return query.page(
        exports.list(), export -> "%05d/%s".formatted(export.lun(), export.volume()), this::view);
  }

  @PostMapping("/exports")
  ResponseEntity<PlainUnit> create(@RequestBody NewExport wanted, HttpServletRequest request) {
    boolean force = Boolean.TRUE.equals(wanted.force());
    if (force) {
      RoleCheck.require(AdminCaller.of(request), Role.ADMIN);
    }
    VolumeId volume = new VolumeId(RequestRejectedException.requireField("vvol", wanted.vvol()));
    Set<String> names = names(wanted);
    Optional<Integer> lun = lun(wanted);
    Optional<Boolean> readOnly = Optional.ofNullable(wanted.readOnly());
    RequestRejectedException.about("vvol", () -> volumes.require(volume));
    Export made =
        RequestRejectedException.about(
            "initiators", () -> exports.export(volume, lun, readOnly, names, force));
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/exports/" + made.volume()))
        .body(view(made));
  }

  private static Optional<Integer> lun(NewExport wanted) {
    Integer lun = wanted.lun();
    if (lun != null && (lun < 0 || lun > LAST_LUN)) {
      throw RequestRejectedException.field(
          "lun", "expected 0 to %d, got %d".formatted(LAST_LUN, lun));
    }
    return Optional.ofNullable(lun);
  }

  private static Set<String> names(NewExport wanted) {
    List<String> names = RequestRejectedException.requireField("initiators", wanted.initiators());
    if (names.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field("initiators", "expected iSCSI names, got null");
    }
    return Set.copyOf(names);
  }

  @GetMapping("/exports/{vvol}")
  PlainUnit get(@PathVariable UUID vvol) {
    return view(exports.require(new VolumeId(vvol)));
  }

  /// Serves the volume to one more initiator. Repeatable.
  @PutMapping("/exports/{vvol}/initiators/{iqn}")
  PlainUnit addInitiator(@PathVariable UUID vvol, @PathVariable String iqn) {
    VolumeId volume = exports.require(new VolumeId(vvol)).volume();
    return view(RequestRejectedException.about("iqn", () -> exports.addInitiator(volume, iqn)));
  }

  /// Takes the volume away from one initiator. Repeatable. It answers when none of the initiator's
  /// commands runs there any more, so that another host may take over.
  @DeleteMapping("/exports/{vvol}/initiators/{iqn}")
  PlainUnit removeInitiator(@PathVariable UUID vvol, @PathVariable String iqn) {
    VolumeId volume = exports.require(new VolumeId(vvol)).volume();
    return view(RequestRejectedException.about("iqn", () -> exports.removeInitiator(volume, iqn)));
  }

  @DeleteMapping("/exports/{vvol}")
  EndedExport delete(@PathVariable UUID vvol) {
    FormerExport former = exports.unexport(new VolumeId(vvol));
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

  private PlainUnit view(Export export) {
    return new PlainUnit(
        export.volume().value(),
        exports.naaOf(export.volume()),
        export.lun(),
        exports.target(),
        facts.portals().get(),
        export.readOnly(),
        List.copyOf(export.initiators()));
  }
}
