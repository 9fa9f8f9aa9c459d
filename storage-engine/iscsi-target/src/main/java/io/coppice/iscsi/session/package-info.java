/// Sessions of the iSCSI target from login to logout: the phases of their connections, text
/// requests, task management, and the redirection of logins between portals.
///
/// Begin with [io.coppice.iscsi.session.LoginConversation], the first phase of a connection. After
/// it comes [io.coppice.iscsi.session.NormalPhase] or, for a discovery session,
/// [io.coppice.iscsi.session.DiscoveryPhase]. [io.coppice.iscsi.session.Sessions] knows all
/// sessions. Depends on the connections, the commands, `login`, `pdu`, the settings and
/// `scsi.transport`.
@NullMarked
package io.coppice.iscsi.session;

import org.jspecify.annotations.NullMarked;
