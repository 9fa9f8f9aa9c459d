/// Waits that no interrupt ends, and errors that belong to no caller. Begin with [Uninterrupted]
/// and [Errors]. Depends on nothing.
@NullMarked
package io.coppice.engine.thread;

import org.jspecify.annotations.NullMarked;
