/// Who calls: registered trust, sessions and what the peer of a session is. An operation finds its
/// caller in [io.coppice.vasa.session.CurrentSession].
@NullMarked
package io.coppice.vasa.session;

import org.jspecify.annotations.NullMarked;
