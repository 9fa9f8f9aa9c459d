package io.coppice.admin.login;

/// A source of people who log in by name and password. Every bean of this type is asked, in the
/// order of Spring, unless a login names one.
///
/// [#check] is called on a virtual thread, by at most `coppice.accounts.password-checks` callers at
/// a time. It ends within a bounded time, and takes as long for an unknown name as for a wrong
/// password.
public interface PasswordSource {

  /// The source of the identities that it makes, such as `ldap`; also the value of the field
  /// `source` of a login.
  String name();

  /// Checks a password.
  ///
  /// @param name as it was typed: 1 to 256 characters without control characters
  /// @param password as it was typed: never empty, at most 1024 bytes of UTF-8
  PasswordOutcome check(String name, String password);
}
