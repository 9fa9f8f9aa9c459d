/// The notices to a service manager, read from real sockets.
@NullMarked
package io.coppice.app.notice;

import org.jspecify.annotations.NullMarked;
