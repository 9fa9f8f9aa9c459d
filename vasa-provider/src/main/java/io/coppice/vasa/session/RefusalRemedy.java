package io.coppice.vasa.session;

import java.util.Arrays;

/// The remedies of refusals of clients. A refusal is known by a part of its reason, which has names
/// and times in it; a test holds all reasons against this list.
public enum RefusalRemedy {
  HANDSHAKE(
      "the TLS handshake failed",
      "Let the client trust the certificate of this provider: register it again, or trust tls/root.crt there."),
  NO_CERTIFICATE(
      "needs a client certificate",
      "Register this provider in vCenter, which then gives its hosts certificates. If it is neither a vCenter nor a host, nothing is wrong."),
  EXPIRED(
      "has expired",
      "Renew the certificate of the client or of its authority in vCenter, and compare the clocks."),
  NOT_YET_VALID("is not valid yet", "Set the clocks of both sides right."),
  REVOKED(
      "has been revoked",
      "Give the client a new certificate in vCenter: the list of revoked ones names the one that it has."),
  UNKNOWN_ROOT(
      "chains to no registered root",
      "If it is a vCenter or a host of one, register this provider there again, so that its authority is trusted here."),
  OTHER_VCENTER(
      "is not the one that registered",
      "Register this provider in that vCenter, too, with the password."),
  FOREIGN_NAME(
      "belongs to another client",
      "If the owner of the name is gone, remove it with DELETE /hosts/{id}; else give the client a name of its own."),
  NO_VCENTER(
      "expected the vCenter of a registration",
      "Do it in the vCenter that has registered this provider, or register there again."),
  TOO_MANY_NAMES(
      "of one client certificate",
      "Remove hosts that are gone with DELETE /hosts/{id}, or raise vasa.sessions.hosts-per-client or initiators-per-client."),
  ENDED_REGISTRATION("has just been ended", "Register this provider in vCenter again."),
  WRONG_PASSWORD(
      "the user name or the password is wrong",
      "Enter the user of GET /registrations/form, and the password from the file that it names."),
  OWN_CERTIFICATE(
      "keeps its own certificate",
      "Trust tls/root.crt in vCenter, or set vasa.certificate to vcenter-signed."),
  OTHER(
      "",
      "Look for the time of the refusal in the log of this provider, and in that of the client.");

  private final String part;
  private final String sentence;

  RefusalRemedy(String part, String sentence) {
    this.part = part;
    this.sentence = sentence;
  }

  /// The remedy of a refusal; [#OTHER] if nothing special is known.
  ///
  /// @param reason as [RefusedClients] has it
  public static RefusalRemedy of(String reason) {
    return Arrays.stream(values())
        .filter(one -> reason.contains(one.part))
        .findFirst()
        .orElse(OTHER);
  }

  /// What to do.
  public String sentence() {
    return sentence;
  }
}
