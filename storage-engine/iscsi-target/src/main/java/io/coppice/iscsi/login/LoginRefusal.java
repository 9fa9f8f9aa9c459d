package io.coppice.iscsi.login;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reason why a login was not let in, with the status that the initiator got for it.
public enum LoginRefusal {
  /// The proof does not fit the secret that is kept for this initiator.
  WRONG_SECRET(LoginStatus.AUTHENTICATION_FAILURE),
  /// It has a secret here, and offered no CHAP or went on without the proof.
  CHAP_EXPECTED(LoginStatus.AUTHENTICATION_FAILURE),
  /// It has no secret here, and offered nothing but CHAP.
  CHAP_NOT_EXPECTED(LoginStatus.AUTHENTICATION_FAILURE),
  NO_COMMON_ALGORITHM(LoginStatus.AUTHENTICATION_FAILURE),
  /// It wants the target to prove itself, but no secret is kept for that.
  NO_TARGET_SECRET(LoginStatus.AUTHENTICATION_FAILURE),
  /// Both directions of mutual CHAP have the same secret.
  EQUAL_SECRETS(LoginStatus.AUTHENTICATION_FAILURE),
  /// CHAP in a wrong order, with missing parts, or with our own challenge.
  CHAP_BROKEN(LoginStatus.AUTHENTICATION_FAILURE),
  /// Secrets cannot be opened.
  SECRETS_LOCKED(LoginStatus.SERVICE_UNAVAILABLE),
  /// Nothing is exported or bound to it.
  NOTHING_FOR_IT(LoginStatus.AUTHORIZATION_FAILURE),
  UNKNOWN_TARGET(LoginStatus.NOT_FOUND),
  NO_NAME(LoginStatus.MISSING_PARAMETER),
  BAD_NAME(LoginStatus.INITIATOR_ERROR),
  UNSUPPORTED_VERSION(LoginStatus.UNSUPPORTED_VERSION),
  UNKNOWN_SESSION_TYPE(LoginStatus.SESSION_TYPE_NOT_SUPPORTED),
  /// Text or fields that no rule of the protocol allows.
  BROKEN_RULES(LoginStatus.INITIATOR_ERROR),
  STAGES_OUT_OF_ORDER(LoginStatus.INVALID_REQUEST),
  NO_SUCH_SESSION(LoginStatus.SESSION_DOES_NOT_EXIST),
  SECOND_CONNECTION(LoginStatus.TOO_MANY_CONNECTIONS),
  TOO_MANY_SESSIONS(LoginStatus.OUT_OF_RESOURCES),
  /// All portals are drained.
  NO_PORTAL(LoginStatus.SERVICE_UNAVAILABLE),
  POOL_STOPPED(LoginStatus.SERVICE_UNAVAILABLE),
  /// A mistake of ours, or a store that failed.
  OUR_FAULT(LoginStatus.TARGET_ERROR),
  /// It did not come to an end in time, and was not answered any more.
  TOO_SLOW(null),
  /// Its connection ended in the middle of it, without an answer of ours that refuses it.
  GIVEN_UP(null);

  private final @Nullable LoginStatus status;

  LoginRefusal(@Nullable LoginStatus status) {
    this.status = status;
  }

  /// Empty if the initiator was not told.
  public Optional<LoginStatus> status() {
    return Optional.ofNullable(status);
  }

  /// The status of one that the initiator is told of.
  LoginStatus told() {
    return status().orElseThrow(() -> new IllegalStateException(this + " is told to nobody"));
  }
}
