/// The operations on accounts and sessions. Begin with
/// [io.coppice.admin.account.SessionController].
@NullMarked
package io.coppice.admin.account;

import org.jspecify.annotations.NullMarked;
