/// Callers: registered trust, sessions and the peers of sessions. An operation finds its caller in
/// [io.coppice.vasa.session.CurrentSession].
@NullMarked
package io.coppice.vasa.session;

import org.jspecify.annotations.NullMarked;
