package io.coppice.admin.login;

import java.util.List;

/// A person who has proved who he is.
///
/// @param source that vouches for him, as it is named in the audit trail: [#LOCAL], `ldap` or
///   `openid`
/// @param subject a name that stays the same at this source, also when the person is renamed
/// @param name that people know him by, such as `anna`; shown in events and in the audit trail
/// @param groups that the source says he belongs to; empty for a local account
public record Identity(String source, String subject, String name, List<String> groups) {

  /// The source of the accounts that Coppice keeps itself.
  public static final String LOCAL = "local";

  public Identity {
    groups = List.copyOf(groups);
  }
}
