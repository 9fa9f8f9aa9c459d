package io.coppice.admin.iscsi;

import io.coppice.admin.SystemFacts;
import io.coppice.api.iscsi.TemporaryExportView;
import io.coppice.api.iscsi.TemporaryUnit;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.temporary.TemporaryExport;
import io.coppice.vasa.export.temporary.TemporaryExports;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/// Temporary exports as REST shows them, with the lines by which a host finds the units.
@Component
final class TemporaryExportViews {

  private static final String NAA = "naa.";

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
    return new TemporaryExportView(
        one.id(),
        one.point(),
        one.writable(),
        one.created(),
        temporary.endOf(one),
        exports.target(),
        portals,
        units,
        linux(exports.target(), portals, units),
        esxi(portals, units));
  }

  private TemporaryUnit unit(VolumeId snapshot, VolumeId served) {
    return new TemporaryUnit(
        snapshot.value(),
        served.value(),
        exports.find(served).map(Export::lun).orElse(null),
        exports.naaOf(served));
  }

  private static List<String> linux(
      String target, List<String> portals, List<TemporaryUnit> units) {
    List<String> lines = new ArrayList<>();
    for (String portal : portals) {
      lines.add("iscsiadm -m discovery -t sendtargets -p " + portal);
    }
    lines.add("iscsiadm -m node -T %s --login".formatted(target));
    lines.add("iscsiadm -m session --rescan");
    for (TemporaryUnit unit : units) {
      lines.add("ls -l /dev/disk/by-id/wwn-0x" + unit.naa().substring(NAA.length()));
    }
    return lines;
  }

  private static List<String> esxi(List<String> portals, List<TemporaryUnit> units) {
    List<String> lines = new ArrayList<>();
    lines.add("A=$(esxcli iscsi adapter list | awk '/iscsi_vmk/ {print $1; exit}')");
    for (String portal : portals) {
      lines.add("esxcli iscsi adapter discovery sendtarget add -A $A -a " + portal);
    }
    lines.add("esxcli storage core adapter rescan -A $A");
    for (TemporaryUnit unit : units) {
      lines.add("esxcli storage core device list -d " + unit.naa());
    }
    return lines;
  }
}
