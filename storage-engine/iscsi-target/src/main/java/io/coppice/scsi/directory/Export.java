package io.coppice.scsi.directory;

import io.coppice.engine.VolumeId;
import java.util.SortedSet;
import java.util.TreeSet;

/// A volume served as a plain logical unit to named initiators.
///
/// @param lun its number at the plain target, 0 to 16383
/// @param readOnly writes answer DATA PROTECT
/// @param initiators iSCSI names, lower case; none only after all have been removed
public record Export(VolumeId volume, int lun, boolean readOnly, SortedSet<String> initiators) {

  public Export {
    initiators = new TreeSet<>(initiators);
  }
}
