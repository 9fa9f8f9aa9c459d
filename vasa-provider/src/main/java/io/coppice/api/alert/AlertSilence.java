package io.coppice.api.alert;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A request to mute an alert.
///
/// @param until a time to come
public record AlertSilence(@Nullable Instant until) {}
