/// Single fields of requests and answers: texts, times, limits and capabilities. May depend on
/// `admin.problem`.
@NullMarked
package io.coppice.admin.field;

import org.jspecify.annotations.NullMarked;
