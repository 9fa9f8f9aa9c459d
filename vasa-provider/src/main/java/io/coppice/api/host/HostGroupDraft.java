package io.coppice.api.host;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A host group as a client makes or changes it; in a change null leaves a field as it is.
///
/// @param hosts ids of hosts that an administrator made; may be empty
public record HostGroupDraft(@Nullable String name, @Nullable List<UUID> hosts) {}
