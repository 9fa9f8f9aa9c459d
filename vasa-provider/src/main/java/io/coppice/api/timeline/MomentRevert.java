package io.coppice.api.timeline;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A revert to a moment.
public record MomentRevert(@Nullable Instant moment) {}
