/// Replication groups: named sets of volumes that go to another pool as of one moment, again and
/// again, and what is done with their replicas there.
///
/// A group has a record in both pools ([io.coppice.vasa.replication.group.ReplicatedGroup]); each
/// end changes its own alone. Begin with [io.coppice.vasa.replication.group.ReplicationGroups].
/// [io.coppice.vasa.replication.group.CycleRounds] sends, and
/// [io.coppice.vasa.replication.group.GroupCalls] answers the other end.
@NullMarked
package io.coppice.vasa.replication.group;

import org.jspecify.annotations.NullMarked;
