package io.coppice.vasa.export;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.VolumeLocks;
import java.util.Optional;
import org.springframework.stereotype.Service;

/// Exports of volumes in the recycle bin: a volume that is deleted with its export has it again
/// when it is restored.
///
/// The export ends, then the volume goes into the bin together with what the export was. A crash
/// between leaves a volume that is neither exported nor deleted. On the way back the volume comes
/// first. A crash between leaves it without its export, which an administrator makes anew.
@Service
public final class BinnedExports {

  private final Exports exports;
  private final LunDirectory luns;
  private final VirtualVolumes volumes;
  private final RecycleBin bin;
  private final VolumeLocks locks;

  public BinnedExports(
      Exports exports,
      LunDirectory luns,
      VirtualVolumes volumes,
      RecycleBin bin,
      VolumeLocks locks) {
    this.exports = exports;
    this.luns = luns;
    this.volumes = volumes;
    this.bin = bin;
    this.locks = locks;
  }

  /// Deletes a volume with its export, if it has one.
  ///
  /// @param purge whether it goes at once, past the recycle bin
  /// @throws VasaException as [VirtualVolumes#delete]
  /// @throws RefusedException (IN_USE) if an initiator of the export has a session: nothing has
  ///   changed
  public void delete(VolumeId id, boolean purge) {
    try (var _ = locks.hold(id)) {
      volumes.require(id);
      Optional<String> kept = luns.exportOf(id).map(this::end);
      if (purge) {
        volumes.deleteForGood(id);
      } else {
        volumes.delete(id, kept.orElse(null));
      }
    }
  }

  private String end(Export export) {
    KeptExport kept = KeptExport.of(export, exports.audienceOf(export));
    luns.suspend(export.volume()).close(); // refused while an initiator has a session
    exports.unexport(export.volume());
    return kept.text();
  }

  /// What an export was whose volume is in the bin; empty if the volume had none.
  public Optional<String> of(VolumeId id) {
    return bin.exportOf(id);
  }

  /// Makes an export again, as it was, of a volume that is restored.
  ///
  /// @param kept what [#of] had before that
  /// @throws VasaException (NotFound) if a host or group is gone
  /// @throws RefusedException (IN_USE) if its number is another volume's for one of the initiators
  public Optional<Export> resume(VolumeId id, String kept) {
    return KeptExport.parse(kept)
        .map(
            one ->
                exports.export(
                    id,
                    Optional.of(one.lun()),
                    Optional.of(one.readOnly()),
                    one.audience(),
                    false));
  }
}
