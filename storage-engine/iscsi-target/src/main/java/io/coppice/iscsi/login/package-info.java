/// The login phase of a session (RFC 7143 §6.3) without sockets: stages, authentication by CHAP
/// (RFC 7143 §12.1.3), negotiation of keys (RFC 7143 §13). The keys that may change later, in the
/// full feature phase, are here too.
///
/// Begin with [io.coppice.iscsi.login.LoginPhase]. Its result is a set of
/// [io.coppice.iscsi.login.SessionParameters]. Depends on `pdu`, the settings, `scsi.secret` and
/// `scsi.transport`.
@NullMarked
package io.coppice.iscsi.login;

import org.jspecify.annotations.NullMarked;
