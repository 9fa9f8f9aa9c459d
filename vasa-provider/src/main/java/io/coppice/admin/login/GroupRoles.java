package io.coppice.admin.login;

import java.util.Optional;

/// The roles of people by their groups, for the sources that Coppice does not keep itself.
public interface GroupRoles {

  /// What the largest role among the groups of somebody allows; empty if none of them has one. It
  /// is asked at the login and again at each request of the session.
  Optional<Grant> of(Identity identity);
}
