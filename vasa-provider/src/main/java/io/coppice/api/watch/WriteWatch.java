package io.coppice.api.watch;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The ransomware watch of a volume: figures of its last window, and what is usual.
///
/// @param state `off`, `unwatched`, `learning`, `normal`, `rising` or `suspect`
/// @param since by when what stands out had not begun; null while nothing does
/// @param entropy mean of the samples, in bits for each byte; null without samples
/// @param usualEntropy what is usual; null while nothing is known
/// @param replacing bytes a second that were written over or unmapped
/// @param usualReplacing what is usual
/// @param samples blocks of 4 KiB that were measured in the window
/// @param lastPointBefore youngest snapshot from before `since`; null if there is none
/// @param lockedPoints recovery points that the watch took
public record WriteWatch(
    String state,
    @Nullable Instant since,
    @Nullable Double entropy,
    @Nullable Double usualEntropy,
    long replacing,
    long usualReplacing,
    long samples,
    @Nullable SnapshotBefore lastPointBefore,
    List<UUID> lockedPoints) {

  public WriteWatch {
    lockedPoints = List.copyOf(lockedPoints);
  }
}
