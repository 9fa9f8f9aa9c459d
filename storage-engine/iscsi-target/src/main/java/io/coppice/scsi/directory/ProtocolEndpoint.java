package io.coppice.scsi.directory;

/// An administrative logical unit that hosts reach bound volumes through.
///
/// @param lun its number at the target, 1 to 255
/// @param naa its designator in VPD page 83h as text: `naa.` and 32 lower-case hex digits
public record ProtocolEndpoint(int lun, String naa) {

  public ProtocolEndpoint {
    if (lun < 1 || lun > 255) {
      throw new IllegalArgumentException("expected an endpoint LUN from 1 to 255, got " + lun);
    }
  }
}
