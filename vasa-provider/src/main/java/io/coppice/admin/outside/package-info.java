/// Logins that servers of others vouch for: what LDAP and OpenID Connect have in common. Begin with
/// [io.coppice.admin.outside.OutsideRoles]. May depend on `admin.login`.
@NullMarked
package io.coppice.admin.outside;

import org.jspecify.annotations.NullMarked;
