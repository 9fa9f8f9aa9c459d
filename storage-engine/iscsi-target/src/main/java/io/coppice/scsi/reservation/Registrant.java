package io.coppice.scsi.reservation;

import java.util.Objects;

/// An I_T nexus as persistent reservations know it. It outlives the session (SPC-4 §5.13.7).
///
/// @param name iSCSI name of the initiator, lower case
/// @param isid the 48 bits of its ISID
/// @param port relative target port identifier
public record Registrant(String name, long isid, int port) {

  public Registrant {
    Objects.requireNonNull(name, "name");
  }

  /// Whether both are the same initiator port, at any target port.
  boolean isSameInitiatorPort(String otherName, long otherIsid) {
    return isid == otherIsid && name.equals(otherName);
  }
}
