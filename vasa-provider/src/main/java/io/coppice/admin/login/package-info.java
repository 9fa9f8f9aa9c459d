/// Logins of people: accounts, their passwords, and the browser sessions that a login opens. Begin
/// with [io.coppice.admin.login.Identity]. May depend on `admin.access`, `admin.problem` and on the
/// events of `vasa`.
@NullMarked
package io.coppice.admin.login;

import org.jspecify.annotations.NullMarked;
