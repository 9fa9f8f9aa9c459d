package io.coppice.api.replication;

import io.coppice.api.protection.GroupMember;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A replication group to be made, or what changes of one; what is null stays.
///
/// @param peer id of the pool at the other end
/// @param interval from one cycle to the next, in ISO 8601
/// @param rpo how old the newest replica at the target may be, in ISO 8601; no time at all for the
///   usual one
/// @param keep tiers of the replicas at the target; none: the newest one alone
/// @param container id or name of the storage container at the target; null for its first one
/// @param paused whether no cycle begins by itself
public record ReplicationGroupDraft(
    @Nullable String name,
    @Nullable UUID peer,
    @Nullable String interval,
    @Nullable String rpo,
    @Nullable List<ReplicaTier> keep,
    @Nullable List<GroupMember> members,
    @Nullable String container,
    @Nullable Boolean paused) {}
