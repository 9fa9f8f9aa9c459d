package io.coppice.scsi;

import java.util.Objects;

/// Where a session came in, as the transport says it.
///
/// @param portal `address:port` of ours that the initiator reached; empty if unknown
/// @param address `address:port` of the initiator; empty if unknown
public record SessionOrigin(String portal, String address) {

  public static final SessionOrigin UNKNOWN = new SessionOrigin("", "");

  public SessionOrigin {
    Objects.requireNonNull(portal, "portal");
    Objects.requireNonNull(address, "address");
  }
}
