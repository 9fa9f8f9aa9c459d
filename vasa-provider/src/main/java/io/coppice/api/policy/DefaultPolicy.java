package io.coppice.api.policy;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The policy of volumes that come without one.
///
/// @param policy id of a policy that is offered in the container
public record DefaultPolicy(@Nullable UUID policy) {}
