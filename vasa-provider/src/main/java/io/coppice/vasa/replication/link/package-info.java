/// The links of this pool with its peers: the port at which they call, and the way to call them.
/// Entry point: [io.coppice.vasa.replication.link.PeerLinks].
@NullMarked
package io.coppice.vasa.replication.link;

import org.jspecify.annotations.NullMarked;
