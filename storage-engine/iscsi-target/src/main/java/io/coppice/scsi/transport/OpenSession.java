package io.coppice.scsi.transport;

/// An open session of an initiator port.
public record OpenSession(InitiatorPort initiator, SessionOrigin origin) {

  /// The ISID as 12 hex digits.
  public String isid() {
    return "%012x".formatted(initiator.isid());
  }

  @Override
  public String toString() {
    return "session %s of %s (%s at portal %s)"
        .formatted(isid(), initiator.name(), origin.address(), origin.portal());
  }
}
