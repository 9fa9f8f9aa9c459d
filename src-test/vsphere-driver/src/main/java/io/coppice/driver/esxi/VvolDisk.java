package io.coppice.driver.esxi;

import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.driver.soap.VvolHandle;

/// A bound vVol as a block device: the subsidiary logical unit of its endpoint.
///
/// After a lost connection: [EsxiHost#reconnect], then go on; the binding and the number stay.
public record VvolDisk(VvolHandle handle, Lun lun, ScsiDisk disk) {
  public String vvolId() {
    return handle.vvolId();
  }

  /// The logical unit, for commands that [ScsiDisk] does not have.
  public LogicalUnit unit() {
    return disk.unit();
  }
}
