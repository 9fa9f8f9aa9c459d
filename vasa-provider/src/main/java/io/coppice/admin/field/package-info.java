/// Single fields of requests and answers: texts, times, limits and capabilities. Begin with
/// [io.coppice.admin.field.PlainText]. May depend on `admin.problem`.
@NullMarked
package io.coppice.admin.field;

import org.jspecify.annotations.NullMarked;
