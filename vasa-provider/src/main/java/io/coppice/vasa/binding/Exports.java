package io.coppice.vasa.binding;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.VolumeLocks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;

/// Volumes served as plain logical units: snapshots, clones, and volumes that an administrator made
/// for it. Only the pool knows the exports; there are no rows.
@Service
public final class Exports {

  private final LunDirectory luns;
  private final VirtualVolumes volumes;
  private final VolumeLocks locks;

  public Exports(LunDirectory luns, VirtualVolumes volumes, VolumeLocks locks) {
    this.luns = luns;
    this.volumes = volumes;
    this.locks = locks;
  }

  /// Serves a volume to named initiators; stable on return.
  ///
  /// @param lun empty for the next one
  /// @param readOnly empty for true if it is a snapshot, else false
  /// @param force takes a number that rests, if no session holds it
  /// @throws VasaException (NotFound) if the volume is unknown; (NotSupported) if a virtual machine
  ///   writes to it; (InvalidArgument) if a snapshot is to be written to
  /// @throws RefusedException (IN_USE) if it is bound or exported or the number is taken; (RESTING)
  ///   if the number rests; (INVALID) if a name or the number is not one
  public Export export(
      VolumeId id,
      Optional<Integer> lun,
      Optional<Boolean> readOnly,
      Set<String> initiators,
      boolean force) {
    try (var _ = locks.hold(id)) {
      VirtualVolume volume = volumes.requireReachable(id);
      checkExportable(volume, readOnly);
      ExportRequest request =
          new ExportRequest(id, lun, readOnly.orElse(volume.snapshot()), initiators, force);
      return luns.export(OperationId.random(), request);
    }
  }

  private static void checkExportable(VirtualVolume volume, Optional<Boolean> readOnly) {
    if (volume.snapshot() && readOnly.isPresent() && !readOnly.get()) {
      throw VasaException.invalidArgument(
              "expected readOnly for a snapshot, which %s is".formatted(volume.id()))
          .about("readOnly");
    }
    if (!volume.snapshot() && volume.parent() == null && volume.origin() == VolumeOrigin.HOST) {
      throw new VasaException(
          new Fault.NotSupported(),
          "expected a snapshot, a clone or a plain volume, but %s belongs to a virtual machine"
              .formatted(volume.id()));
    }
  }

  /// Serves an exported volume to one more initiator; stable on return. Does nothing if it is among
  /// them.
  ///
  /// @throws VasaException (NotFound) if the volume is not exported
  /// @throws RefusedException (RESTING) if its number rests for the initiator; (INVALID) if the
  ///   name is none or there are too many
  public Export addInitiator(VolumeId id, String initiator) {
    try (var _ = locks.hold(id)) {
      require(id);
      return luns.addInitiator(OperationId.random(), id, initiator);
    }
  }

  /// Takes an exported volume away from one initiator. On return none of its commands runs there
  /// any more, and none will ([LunDirectory#removeInitiator]).
  ///
  /// @throws VasaException (NotFound) if the volume is not exported
  /// @throws RefusedException (INVALID) if the name is none
  public Export removeInitiator(VolumeId id, String initiator) {
    try (var _ = locks.hold(id)) {
      require(id);
      return luns.removeInitiator(OperationId.random(), id, initiator);
    }
  }

  /// Ends an export after its outstanding commands have ended.
  ///
  /// @return the former export, and the sessions that may not have noticed
  /// @throws VasaException (NotFound) if there is none
  public FormerExport unexport(VolumeId id) {
    try (var _ = locks.hold(id)) {
      return luns.unexport(OperationId.random(), id).orElseThrow(() -> unknown(id));
    }
  }

  /// @throws VasaException (NotFound) if there is none
  public Export require(VolumeId id) {
    return luns.exportOf(id).orElseThrow(() -> unknown(id));
  }

  public List<Export> list() {
    return luns.exports();
  }

  public boolean isExported(VolumeId id) {
    return luns.exportOf(id).isPresent();
  }

  /// The name of a volume's logical unit for initiators (VPD page 83h), exported or not.
  public String naaOf(VolumeId id) {
    return luns.naaOf(id);
  }

  /// iSCSI name of the target that serves exports.
  public String target() {
    return luns.plainTarget();
  }

  private static VasaException unknown(VolumeId id) {
    return VasaException.notFound("virtual volume %s is not exported".formatted(id));
  }
}
