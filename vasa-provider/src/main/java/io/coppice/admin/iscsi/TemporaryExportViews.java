package io.coppice.admin.iscsi;

import io.coppice.admin.SystemFacts;
import io.coppice.api.iscsi.TemporaryExportView;
import io.coppice.api.iscsi.TemporaryUnit;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.temporary.TemporaryExport;
import io.coppice.vasa.export.temporary.TemporaryExports;
import java.util.List;
import org.springframework.stereotype.Component;

/// Temporary exports as REST shows them, with the lines by which a host finds the units.
@Component
final class TemporaryExportViews {

  private final TemporaryExports temporary;
  private final Exports exports;
  private final SystemFacts facts;

  TemporaryExportViews(TemporaryExports temporary, Exports exports, SystemFacts facts) {
    this.temporary = temporary;
    this.exports = exports;
    this.facts = facts;
  }

  TemporaryExportView of(TemporaryExport one) {
    List<TemporaryUnit> units =
        one.snapshots().stream().map(snapshot -> unit(snapshot, one.served(snapshot))).toList();
    List<String> portals = List.copyOf(facts.portals().get());
    AttachLines lines =
        new AttachLines(exports.target(), portals, units.stream().map(TemporaryUnit::naa).toList());
    return new TemporaryExportView(
        one.id(),
        one.point(),
        one.writable(),
        one.created(),
        temporary.endOf(one),
        exports.target(),
        portals,
        units,
        lines.linux(),
        lines.esxi());
  }

  private TemporaryUnit unit(VolumeId snapshot, VolumeId served) {
    return new TemporaryUnit(
        snapshot.value(),
        served.value(),
        exports.find(served).map(Export::lun).orElse(null),
        exports.naaOf(served));
  }
}
