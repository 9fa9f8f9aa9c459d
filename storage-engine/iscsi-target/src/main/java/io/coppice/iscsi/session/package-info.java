/// Sessions of the iSCSI target from login to logout.
///
/// Begin with [io.coppice.iscsi.session.LoginConversation], the first phase of a connection; after
/// it comes [io.coppice.iscsi.session.NormalPhase] or, for a discovery session,
/// [io.coppice.iscsi.session.DiscoveryPhase]. [io.coppice.iscsi.session.Sessions] knows all
/// sessions. Depends on the connections and the commands.
@NullMarked
package io.coppice.iscsi.session;

import org.jspecify.annotations.NullMarked;
