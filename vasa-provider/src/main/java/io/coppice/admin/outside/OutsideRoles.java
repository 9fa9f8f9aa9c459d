package io.coppice.admin.outside;

import io.coppice.admin.login.Grant;
import io.coppice.admin.login.GroupRoles;
import io.coppice.admin.login.Identity;
import java.util.Map;
import java.util.Optional;

/// The roles of all people whom a server of others vouches for, by their source.
public final class OutsideRoles implements GroupRoles {

  private final Map<String, RoleRules> bySource;

  /// @param bySource rules by the name of the source, such as `ldap`
  public OutsideRoles(Map<String, RoleRules> bySource) {
    this.bySource = Map.copyOf(bySource);
  }

  @Override
  public Optional<Grant> of(Identity identity) {
    return Optional.ofNullable(bySource.get(identity.source()))
        .flatMap(rules -> rules.of(identity.groups()));
  }
}
