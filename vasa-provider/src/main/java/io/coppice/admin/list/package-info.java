/// Lists in pages: [io.coppice.admin.list.ListQuery] asks, [io.coppice.api.Page] answers, and
/// [io.coppice.admin.list.Orders] says what a list is sorted by. May depend on `admin.field`,
/// `admin.problem` and `vasa.sort`.
@NullMarked
package io.coppice.admin.list;

import org.jspecify.annotations.NullMarked;
