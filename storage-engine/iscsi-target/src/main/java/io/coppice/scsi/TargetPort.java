package io.coppice.scsi;

import io.coppice.scsi.page.Designation;

/// What the two targets differ in.
///
/// @param conglomerate LU_CONG: protocol endpoints with subsidiary units, or else plain units
/// @param number relative target port identifier and target port group
record TargetPort(String name, boolean conglomerate, int number, int portalGroup) {

  Designation.Port designation() {
    return new Designation.Port(name, number, portalGroup);
  }
}
