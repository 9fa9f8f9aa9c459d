package io.coppice.scsi.transport;

import java.util.Objects;

/// A SCSI initiator port: for iSCSI the initiator's name and ISID (SAM-5 §4.3; RFC 7143 §3.4.2).
///
/// @param name iSCSI name, lower case
/// @param isid the 48 bits of the ISID
public record InitiatorPort(String name, long isid) {

  public InitiatorPort {
    Objects.requireNonNull(name, "name");
  }
}
