/// Peers and replication groups over REST. Begin with
/// [io.coppice.admin.replication.ReplicationGroupController].
@NullMarked
package io.coppice.admin.replication;

import org.jspecify.annotations.NullMarked;
