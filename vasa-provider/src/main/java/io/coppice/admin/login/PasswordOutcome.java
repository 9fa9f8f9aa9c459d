package io.coppice.admin.login;

/// The outcome of a check of a name and a password.
public sealed interface PasswordOutcome {

  /// The password is that of this person.
  record Known(Identity identity) implements PasswordOutcome {}

  /// The source knows no such person, or the password is wrong. It does not say which.
  record Refused() implements PasswordOutcome {}

  /// The source could not tell, so another one may be asked.
  ///
  /// @param reason one sentence for the log and the answer, without secrets
  record Unavailable(String reason) implements PasswordOutcome {}
}
