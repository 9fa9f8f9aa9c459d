/// Callers: registered trust, sessions and the peers of sessions. Begin with
/// [io.coppice.vasa.session.VasaSessions]. An operation finds its caller in
/// [io.coppice.vasa.session.CurrentSession].
@NullMarked
package io.coppice.vasa.session;

import org.jspecify.annotations.NullMarked;
