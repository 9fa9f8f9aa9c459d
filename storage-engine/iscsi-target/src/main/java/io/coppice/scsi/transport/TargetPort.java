package io.coppice.scsi.transport;

import io.coppice.scsi.page.Designation;

/// The target port: all that distinguishes the two targets.
///
/// @param conglomerate LU_CONG: protocol endpoints with subsidiary units; otherwise plain units
/// @param number relative target port identifier and target port group
public record TargetPort(String name, boolean conglomerate, int number, int portalGroup) {

  public Designation.Port designation() {
    return new Designation.Port(name, number, portalGroup);
  }
}
