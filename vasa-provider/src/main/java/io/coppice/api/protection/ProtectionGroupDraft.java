package io.coppice.api.protection;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A protection group as a client makes or changes it; in a change null leaves a field as it is.
///
/// @param policy id of the protection policy
public record ProtectionGroupDraft(
    @Nullable String name, @Nullable UUID policy, @Nullable List<GroupMember> members) {}
