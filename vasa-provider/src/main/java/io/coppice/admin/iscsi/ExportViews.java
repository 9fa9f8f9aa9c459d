package io.coppice.admin.iscsi;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.volume.VmId;
import io.coppice.api.iscsi.ExportReach;
import io.coppice.api.iscsi.PlainUnit;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.unit.ReachLog;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/// Exports as REST shows them.
@Component
final class ExportViews {

  private final Exports exports;
  private final VirtualVolumes volumes;
  private final SystemFacts facts;

  ExportViews(Exports exports, VirtualVolumes volumes, SystemFacts facts) {
    this.exports = exports;
    this.volumes = volumes;
    this.facts = facts;
  }

  PlainUnit of(Export export) {
    return of(List.of(export)).getFirst();
  }

  List<PlainUnit> of(List<Export> some) {
    Map<VolumeId, String> names = namesOf(some);
    return some.stream().map(export -> of(export, names)).toList();
  }

  /// The names of the exports' volumes; those without one are missing.
  Map<VolumeId, String> namesOf(List<Export> some) {
    return volumes.valuesOf(
        VmId.NAME_KEY, some.stream().map(Export::volume).collect(Collectors.toSet()));
  }

  private PlainUnit of(Export export, Map<VolumeId, String> names) {
    ExportAudience audience = exports.audienceOf(export);
    String naa = exports.naaOf(export.volume());
    List<String> portals = List.copyOf(facts.portals().get());
    return new PlainUnit(
        export.volume().value(),
        names.get(export.volume()),
        naa,
        export.lun(),
        exports.target(),
        portals,
        export.readOnly(),
        List.copyOf(export.initiators()),
        List.copyOf(audience.hosts()),
        List.copyOf(audience.groups()),
        new AttachLines(exports.target(), portals, List.of(naa)).commands(),
        exports.reachesOf(export).stream().map(ExportViews::view).toList());
  }

  private static ExportReach view(ReachLog.Visitor visitor) {
    return new ExportReach(
        visitor.initiator(),
        visitor.since().truncatedTo(ChronoUnit.MILLIS),
        visitor.lastCommand().truncatedTo(ChronoUnit.MILLIS));
  }
}
