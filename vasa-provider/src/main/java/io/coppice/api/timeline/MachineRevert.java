package io.coppice.api.timeline;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A revert of a virtual machine, to exactly one of these.
///
/// @param moment of its timeline
/// @param snapshot of one of its vVols; the others go back to those of the same moment
public record MachineRevert(@Nullable Instant moment, @Nullable UUID snapshot) {}
