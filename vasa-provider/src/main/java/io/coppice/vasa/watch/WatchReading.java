package io.coppice.vasa.watch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The figures of a volume under watch, of its last window that has ended.
///
/// @param since when the first window that stands out began, or the one before it, by the machine's
///   clock; null while none does
/// @param entropy mean of the samples, in bits for each byte; null if there was none
/// @param usualEntropy its usual value; null if nothing is known
/// @param rate bytes a second that replaced content or were unmapped
/// @param usualRate its usual value
/// @param samples of the window
public record WatchReading(
    WatchState state,
    @Nullable Instant since,
    @Nullable Double entropy,
    @Nullable Double usualEntropy,
    long rate,
    long usualRate,
    long samples) {}
