package io.coppice.app;

import io.coppice.iscsi.login.LoginRefusal;

/// Words for people about a login that was not let in. They have nothing of what the initiator
/// sent.
///
/// @param sentence what was wrong
/// @param remedy what to do
record RefusedLoginText(String sentence, String remedy) {

  static RefusedLoginText of(LoginRefusal refusal) {
    return new RefusedLoginText(sentenceOf(refusal), remedyOf(refusal));
  }

  private static String sentenceOf(LoginRefusal refusal) {
    return switch (refusal) {
      case WRONG_SECRET ->
          "The CHAP secret of the initiator is another one than the secret that is kept here.";
      case CHAP_EXPECTED -> "A CHAP secret is kept for this initiator, but it did not prove one.";
      case CHAP_NOT_EXPECTED -> "The initiator insists on CHAP, but no secret is kept for it here.";
      case NO_COMMON_ALGORITHM -> "The initiator offered no CHAP algorithm that is known here.";
      case NO_TARGET_SECRET ->
          "The initiator wants the target to prove itself (mutual CHAP), but no secret is kept for that.";
      case EQUAL_SECRETS ->
          "Both directions of mutual CHAP have the same secret, which proves nothing.";
      case CHAP_BROKEN -> "The initiator broke the rules of CHAP.";
      case SECRETS_LOCKED ->
          "The CHAP secret of this initiator cannot be opened: chap.key is missing, or another one.";
      case NOTHING_FOR_IT ->
          "No host here has an initiator of this name, or nothing is exported to it.";
      case UNKNOWN_TARGET -> "There is no target of this name here.";
      case NO_NAME -> "The initiator did not say its name, or not which target it wants.";
      case BAD_NAME ->
          "A name is no iSCSI name of at most 223 bytes, such as iqn.1998-01.com.vmware:esx1.";
      case UNSUPPORTED_VERSION -> "The initiator speaks a version of iSCSI that is not known here.";
      case UNKNOWN_SESSION_TYPE -> "The initiator wants a kind of session that is not known here.";
      case BROKEN_RULES -> "The initiator broke the rules of a login.";
      case STAGES_OUT_OF_ORDER -> "The stages of the login came in a wrong order.";
      case NO_SUCH_SESSION ->
          "The initiator wants to go on with a session that has ended or ends now.";
      case SECOND_CONNECTION ->
          "The initiator wants a second connection in a session, which has one here.";
      case TOO_MANY_SESSIONS -> "There are as many sessions as there may be.";
      case NO_PORTAL -> "All portals are drained.";
      case POOL_STOPPED -> "The pool has stopped, so nothing is served.";
      case OUR_FAULT -> "The store of secrets failed, or this server made a mistake.";
      case TOO_SLOW -> "The login did not come to its end in time.";
      case GIVEN_UP -> "The connection ended in the middle of the login.";
    };
  }

  private static String remedyOf(LoginRefusal refusal) {
    return switch (refusal) {
      case WRONG_SECRET ->
          "Set the same secret on both sides: at the host, and here with PUT /initiators/{name}/chap.";
      case CHAP_EXPECTED ->
          "Turn CHAP on at the host and enter the secret, or remove it here with DELETE /initiators/{name}/chap.";
      case CHAP_NOT_EXPECTED ->
          "Set its secret here with PUT /initiators/{name}/chap, or turn CHAP off at the host.";
      case NO_COMMON_ALGORITHM -> "Allow SHA3-256, SHA-256 or MD5 at the host.";
      case NO_TARGET_SECRET ->
          "Set mutualSecret here with PUT /initiators/{name}/chap, or turn mutual CHAP off at the host.";
      case EQUAL_SECRETS ->
          "Set two secrets that differ, at the host and here with PUT /initiators/{name}/chap.";
      case CHAP_BROKEN, BROKEN_RULES ->
          "Look for a newer version of its software, and for what changes data on the way from the host to the portal.";
      case SECRETS_LOCKED ->
          "Put chap.key back from a backup and restart, or remove the secret with DELETE /initiators/{name}/chap.";
      case NOTHING_FOR_IT ->
          "Compare the name with that of the host and with those of GET /hosts, then export a volume to it with POST /exports.";
      case UNKNOWN_TARGET ->
          "Let the host discover the targets, or enter the target that GET /exports shows.";
      case NO_NAME -> "Enter both names at the host.";
      case BAD_NAME -> "Correct the name at the host.";
      case UNSUPPORTED_VERSION -> "Use an initiator of RFC 7143.";
      case UNKNOWN_SESSION_TYPE ->
          "Use an initiator of RFC 7143, which asks for Normal or Discovery.";
      case STAGES_OUT_OF_ORDER -> "Look for a newer version of the initiator's software.";
      case NO_SUCH_SESSION ->
          "Wait: it begins a new session by itself. If it does not, log it out and in at the host.";
      case SECOND_CONNECTION ->
          "Allow one connection for each session at the host; more paths are more sessions.";
      case TOO_MANY_SESSIONS ->
          "Log out initiators that need none; GET /iscsi/sessions has all of them.";
      case NO_PORTAL -> "Take one back with POST /iscsi/portals/{number}/undrain.";
      case POOL_STOPPED -> "Look at GET /readyz, which has the reason.";
      case OUR_FAULT -> "Look at GET /readyz and at the log of the server.";
      case TOO_SLOW ->
          "Look at the network between the host and the portal, and at the load of the host.";
      case GIVEN_UP ->
          "Look at the log of the host. If it wants mutual CHAP, its secret of the target may be another one than mutualSecret here.";
    };
  }
}
