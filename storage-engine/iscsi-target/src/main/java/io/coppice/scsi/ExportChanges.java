package io.coppice.scsi;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.RefusedException.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/// The directory's exports: volumes as plain logical units.
final class ExportChanges {

  private static final int LARGEST_PLAIN_LUN = 0x3fff;

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final Reachability reachability;
  private final Departures departures;

  ExportChanges(DirectoryChanges changes, Reachability reachability, Departures departures) {
    this.changes = changes;
    this.state = changes.state();
    this.reachability = reachability;
    this.departures = departures;
  }

  Export export(
      OperationId operation,
      VolumeId volume,
      Optional<Integer> lun,
      boolean readOnly,
      Set<String> initiators) {
    SortedSet<String> wanted = InitiatorNames.all(initiators);
    if (wanted.isEmpty()) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "expected at least one initiator to export to");
    }
    Export made =
        changes.once(
            operation,
            Export.class,
            () -> {
              Optional<Export> same =
                  state
                      .exportOf(volume)
                      .filter(e -> e.readOnly() == readOnly && e.initiators().equals(wanted))
                      .filter(e -> lun.isEmpty() || lun.get() == e.lun());
              if (same.isPresent()) {
                return same.get();
              }
              requireExportable(volume, readOnly);
              Export next = new Export(volume, plainLun(lun), readOnly, wanted);
              changes.apply(operation, List.of(DirectoryRecords.put(next)));
              state.refreshExport(volume);
              return state.exportOf(volume).orElse(next);
            });
    changes.locked(
        () -> {
          if (state.exportOf(volume).isPresent()) { // else it has gone again
            reachability.appeared(volume, 0, made.initiators());
          }
        });
    return made;
  }

  private void requireExportable(VolumeId volume, boolean readOnly) {
    VolumeInfo info = changes.require(volume);
    if (state.exportOf(volume).isPresent()) {
      throw DirectoryChanges.refused(
          Reason.IN_USE, "volume %s is exported already".formatted(volume));
    }
    if (!state.bindingsOf(volume).isEmpty()) {
      throw DirectoryChanges.refused(Reason.IN_USE, "volume %s is bound".formatted(volume));
    }
    if (info.kind() == VolumeKind.SNAPSHOT && !readOnly) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "snapshot %s can be exported read-only only".formatted(volume));
    }
  }

  private int plainLun(Optional<Integer> wanted) {
    if (wanted.isPresent()) {
      int lun = wanted.get();
      if (lun < 0 || lun > LARGEST_PLAIN_LUN) {
        throw DirectoryChanges.refused(
            Reason.INVALID, "expected a LUN from 0 to 16383, got " + lun);
      }
      if (state.exportAt(lun).isPresent()) {
        throw DirectoryChanges.refused(Reason.IN_USE, "LUN %d is taken".formatted(lun));
      }
      return lun;
    }
    int lun = 0;
    while (state.exportAt(lun).isPresent()) {
      lun++;
    }
    if (lun > LARGEST_PLAIN_LUN) {
      throw DirectoryChanges.refused(Reason.EXHAUSTED, "all plain LUNs are taken");
    }
    return lun;
  }

  boolean unexport(OperationId operation, VolumeId volume) {
    GoneExport gone =
        changes.once(
            operation,
            GoneExport.class,
            () -> {
              Optional<Export> before = state.exportOf(volume);
              if (before.isEmpty()) {
                return new GoneExport(false, List.of());
              }
              changes.apply(operation, List.of(DirectoryRecords.removeExport(volume)));
              state.refreshExport(volume);
              boolean ended = state.exportOf(volume).isEmpty();
              return new GoneExport(
                  true,
                  ended
                      ? List.of(departures.disappeared(volume, 0, before.get().initiators()))
                      : List.of());
            });
    departures.finish(gone.departures());
    return gone.any();
  }

  private record GoneExport(boolean any, List<Departures.Begun> departures) {}
}
