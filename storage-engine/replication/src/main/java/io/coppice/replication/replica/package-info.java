/// The replicas that a pool has: those that it took for others, and those that it received.
///
/// Begin with [io.coppice.replication.replica.ReplicaCatalog]. All is kept in attributes of the
/// snapshots themselves, so it cannot part from them.
@NullMarked
package io.coppice.replication.replica;

import org.jspecify.annotations.NullMarked;
