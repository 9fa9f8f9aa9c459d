package io.coppice.api.protection;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A protection group: what is protected at one cut.
///
/// @param policy id of the protection policy
/// @param next the next moment of a rule; null if its policy has none
/// @param last when its youngest point was taken; null for never
/// @param lastError why the last point that was due could not be taken; null if it could
/// @param notContinuous volumes that have no continuous points, although the policy wants them
public record ProtectionGroupView(
    UUID id,
    String name,
    UUID policy,
    List<GroupMember> members,
    @Nullable Instant next,
    @Nullable Instant last,
    @Nullable String lastError,
    List<NotContinuousVolume> notContinuous) {}
