package io.coppice.api.scrub;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The progress of the scrubber.
///
/// @param percentDone of the pass under way, 0 to 100; 100 if none is
/// @param bytesVerified by the last pass so far
/// @param badBlocks blocks of 4 KiB that are damaged now, however many volumes see them
/// @param findings all damage that is known now, at most 1000 entries
public record ScrubState(
    boolean running,
    boolean paused,
    @Nullable Instant lastStarted,
    @Nullable Instant lastEnded,
    int percentDone,
    long bytesVerified,
    long badBlocks,
    List<DamageFinding> findings) {}
