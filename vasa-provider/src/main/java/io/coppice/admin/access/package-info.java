/// Callers: tokens, roles and the caller of a request. Begin with [io.coppice.api.Role]. May depend
/// on `admin.problem` and on the containers of `vasa`.
@NullMarked
package io.coppice.admin.access;

import org.jspecify.annotations.NullMarked;
