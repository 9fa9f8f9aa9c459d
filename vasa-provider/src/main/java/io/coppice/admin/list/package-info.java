/// Lists in pages: [io.coppice.admin.list.ListQuery] asks, [io.coppice.admin.list.Page] answers.
/// May depend on `admin.field` and `admin.problem`.
@NullMarked
package io.coppice.admin.list;

import org.jspecify.annotations.NullMarked;
