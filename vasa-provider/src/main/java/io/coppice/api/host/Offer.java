package io.coppice.api.host;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The registrations that a container is offered to.
///
/// @param registrations ids, at least one
public record Offer(@Nullable Set<UUID> registrations) {}
