/// The audit trail's way to a syslog server (RFC 5424). The database is the source and keeps the
/// position, so that a server which is away delays entries and holds nobody up.
///
/// Begin with [io.coppice.vasa.audit.syslog.SyslogForwarder].
@NullMarked
package io.coppice.vasa.audit.syslog;

import org.jspecify.annotations.NullMarked;
