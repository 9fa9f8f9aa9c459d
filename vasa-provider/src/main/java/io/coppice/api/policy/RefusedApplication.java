package io.coppice.api.policy;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume that could not be given an edition of its policy.
///
/// @param reason one sentence
public record RefusedApplication(UUID vvol, @Nullable String name, String reason) {}
