package io.coppice.api.replication;

import io.coppice.api.protection.GroupMember;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A replication group, as this end knows it.
///
/// @param state `SOURCE`, `PREPARED`, `TARGET`, `INTEST`, `FAILEDOVER` or `REMOTE_FAILEDOVER`
/// @param since when it came into the state
/// @param settled whether all steps into the state are done
/// @param peer id of the pool at the other end
/// @param rpo how old the newest replica at the target may be, in ISO 8601
/// @param usualRpo whether that is twice the interval, since nobody chose it
/// @param newest when the newest replica was taken that the target is known to have
/// @param lag how old that one is now, in ISO 8601
/// @param lagState `ok`, `late` or `missed`; null if there is no lag, or none that counts
/// @param replica the one that a preparation, test or fail-over is about
/// @param volumes that a test shows, or that a fail-over brought
/// @param cycles at the source; null at a target
public record ReplicationGroupView(
    UUID id,
    String name,
    String state,
    Instant since,
    boolean settled,
    UUID peer,
    String interval,
    String rpo,
    boolean usualRpo,
    List<ReplicaTier> keep,
    List<GroupMember> members,
    @Nullable String container,
    boolean paused,
    @Nullable Instant newest,
    @Nullable String lag,
    @Nullable String lagState,
    @Nullable UUID replica,
    List<UUID> volumes,
    @Nullable ReplicationCycles cycles) {}
