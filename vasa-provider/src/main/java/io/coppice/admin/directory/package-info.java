/// Logins by the passwords of an LDAP directory. Begin with
/// [io.coppice.admin.directory.LdapDirectory]. May depend on `admin.login` and `admin.outside`.
@NullMarked
package io.coppice.admin.directory;

import org.jspecify.annotations.NullMarked;
