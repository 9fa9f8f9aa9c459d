package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Export;
import io.coppice.scsi.LunDirectory;
import io.coppice.vasa.binding.Exports;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Volumes served as plain logical units.
@RestController
final class ExportController {

  private final Exports exports;
  private final LunDirectory luns;
  private final SystemFacts facts;

  ExportController(Exports exports, LunDirectory luns, SystemFacts facts) {
    this.exports = exports;
    this.luns = luns;
    this.facts = facts;
  }

  /// @param readOnly null: true for a snapshot, false for anything else
  /// @param lun null: the lowest free one
  record NewExport(
      @Nullable UUID vvol,
      @Nullable List<String> initiators,
      @Nullable Boolean readOnly,
      @Nullable Integer lun) {}

  record PlainUnit(
      UUID vvol,
      int lun,
      String target,
      List<String> portals,
      boolean readOnly,
      List<String> initiators) {}

  @GetMapping("/exports")
  Page<PlainUnit> list(@ParameterObject ListQuery query) {
    return query.page(exports.list(), export -> "%05d".formatted(export.lun()), this::view);
  }

  @PostMapping("/exports")
  ResponseEntity<PlainUnit> create(@RequestBody NewExport wanted) {
    Export made =
        exports.export(
            new VolumeId(Rejection.requireField("vvol", wanted.vvol())),
            Optional.ofNullable(wanted.lun()),
            Optional.ofNullable(wanted.readOnly()),
            names(wanted));
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/exports/" + made.volume()))
        .body(view(made));
  }

  private static Set<String> names(NewExport wanted) {
    List<String> names = Rejection.requireField("initiators", wanted.initiators());
    if (names.stream().anyMatch(Objects::isNull)) {
      throw Rejection.field("initiators", "expected iSCSI names, got null");
    }
    return Set.copyOf(names);
  }

  @GetMapping("/exports/{vvol}")
  PlainUnit get(@PathVariable UUID vvol) {
    return view(exports.require(new VolumeId(vvol)));
  }

  @DeleteMapping("/exports/{vvol}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID vvol) {
    exports.unexport(new VolumeId(vvol));
  }

  private PlainUnit view(Export export) {
    return new PlainUnit(
        export.volume().value(),
        export.lun(),
        luns.plainTarget(),
        facts.portals().get(),
        export.readOnly(),
        List.copyOf(export.initiators()));
  }
}
