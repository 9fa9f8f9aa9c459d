/// The notices to a service manager such as systemd: that the process is ready, why it is not yet,
/// that it lives, that it stops. Begin with [io.coppice.app.notice.ServiceNotices]. May depend on
/// `admin.health` and `api` alone.
@NullMarked
package io.coppice.app.notice;

import org.jspecify.annotations.NullMarked;
