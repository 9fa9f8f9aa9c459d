/// The link between two pools: messages over a connection that both ends trust.
///
/// Begin with [io.coppice.replication.link.Link]. [io.coppice.replication.link.SecureTransport]
/// makes connections with mutual TLS; tests bring transports of their own. Depends on the messages
/// only.
@NullMarked
package io.coppice.replication.link;

import org.jspecify.annotations.NullMarked;
