/// The pool seen from the application: its folder, its lock and its link to the database. Begin
/// with [io.coppice.app.pool.PoolFolder]. Depends on no other package of `app`.
@NullMarked
package io.coppice.app.pool;

import org.jspecify.annotations.NullMarked;
