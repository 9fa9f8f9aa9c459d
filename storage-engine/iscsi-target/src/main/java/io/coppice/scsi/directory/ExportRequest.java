package io.coppice.scsi.directory;

import io.coppice.engine.VolumeId;
import java.util.Optional;
import java.util.Set;

/// A volume to be served as a plain logical unit.
///
/// @param lun number to use, 0 to 16383, or empty for the next one
/// @param initiators iSCSI names, at least one; compared in lower case
/// @param force whether to take a number that rests for one of the initiators, if no session holds
///   it
public record ExportRequest(
    VolumeId volume,
    Optional<Integer> lun,
    boolean readOnly,
    Set<String> initiators,
    boolean force) {

  public ExportRequest {
    initiators = Set.copyOf(initiators);
  }
}
