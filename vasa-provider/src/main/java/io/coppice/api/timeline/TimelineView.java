package io.coppice.api.timeline;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A part of the timeline of a volume or virtual machine.
///
/// @param tiers of its journals; none if it has no timeline
/// @param oldest moment that all of its volumes with a timeline reach back to; null for none
/// @param newest point; null for none
/// @param endsAt when it is forgotten, because no policy protects it any more; of a machine, when
///   the first of its volumes is; null if all are protected
/// @param points of the volume; of a machine those of its volume with the most
/// @param kept bytes that were written over and are kept for it
/// @param without ids of its volumes that have no timeline
/// @param items moments that it can go back to
/// @param next cursor of the part that follows; null at the end
public record TimelineView(
    List<TimelineTier> tiers,
    @Nullable Instant oldest,
    @Nullable Instant newest,
    @Nullable Instant endsAt,
    long points,
    long kept,
    List<UUID> without,
    List<TimelineMoment> items,
    @Nullable String next) {

  public TimelineView {
    tiers = List.copyOf(tiers);
    without = List.copyOf(without);
    items = List.copyOf(items);
  }
}
