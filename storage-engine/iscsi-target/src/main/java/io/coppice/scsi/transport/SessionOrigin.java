package io.coppice.scsi.transport;

import java.util.Objects;

/// The origin of a session, as the transport tells it.
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
