/// Two helpers of threads: a wait that no interrupt ends ([Uninterrupted]), and the report of an
/// error that belongs to no caller ([Errors]). Depends on nothing.
@NullMarked
package io.coppice.engine.thread;

import org.jspecify.annotations.NullMarked;
