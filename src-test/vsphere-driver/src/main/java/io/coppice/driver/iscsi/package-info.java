/// An iSCSI initiator (RFC 7143, error recovery level 0, one connection a session).
///
/// Entry points: [io.coppice.driver.iscsi.IscsiSession] for one session,
/// [io.coppice.driver.iscsi.IscsiPath] for a session that is set up again after a loss, and
/// [io.coppice.driver.iscsi.Discovery] for SendTargets. Strict on purpose: a reply out of order, a
/// number that skips or data outside the command ends the connection with a sentence.
@NullMarked
package io.coppice.driver.iscsi;

import org.jspecify.annotations.NullMarked;
