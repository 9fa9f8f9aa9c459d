package io.coppice.api.host;

import java.util.List;
import java.util.UUID;

/// A group of hosts that get the same exports.
///
/// @param hosts ids of hosts that an administrator made
public record NamedHosts(UUID id, String name, List<UUID> hosts) {}
