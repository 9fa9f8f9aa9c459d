/// Threads that wait.
@NullMarked
package io.coppice.engine.thread;

import org.jspecify.annotations.NullMarked;
