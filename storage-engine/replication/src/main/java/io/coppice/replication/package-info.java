/// The words of replication between two pools: a cycle and its members, peers, and failures.
///
/// A *cycle* takes the volumes of a group to another pool as they were at one moment. It ends in a
/// *replica*: one snapshot per member, made by one record. So a replica is the whole group or is
/// not there. A snapshot of a replica has the same id in every pool that has it: same id, same
/// content. That is why any snapshot that both pools have can be the *base* from which the next
/// cycle sends only what differs, in either direction and over a third pool.
///
/// Begin with [io.coppice.replication.Cycle]. [io.coppice.replication.source] sends cycles and
/// [io.coppice.replication.intake] receives them, over a [io.coppice.replication.link].
@NullMarked
package io.coppice.replication;

import org.jspecify.annotations.NullMarked;
