package io.coppice.admin.volume;

import io.coppice.api.timeline.TimelineMoment;
import io.coppice.api.timeline.TimelineTier;
import io.coppice.api.timeline.TimelineView;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.timeline.Timelines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;

/// The form of timelines in JSON. That of several volumes has the moments of each of them, from the
/// moment on that all of them reach back to.
@Component
final class TimelineViews {

  private final Timelines timelines;

  TimelineViews(Timelines timelines) {
    this.timelines = timelines;
  }

  /// A part of the timeline of volumes together.
  TimelineView of(List<VolumeId> volumes, TimelineQuery query) {
    TimelineQuery.Window asked = query.window();
    Map<VolumeId, JournalInfo> known = new LinkedHashMap<>();
    List<UUID> without = new ArrayList<>();
    for (VolumeId volume : volumes) {
      timelines
          .find(volume)
          .ifPresentOrElse(info -> known.put(volume, info), () -> without.add(volume.value()));
    }
    if (known.isEmpty()) {
      return new TimelineView(List.of(), null, null, 0, 0, without, List.of(), null);
    }
    Instant oldest =
        known.values().stream()
            .map(JournalInfo::oldest)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    Instant newest =
        known.values().stream()
            .map(JournalInfo::newest)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    TimelineQuery.Window window = asked.notBefore(oldest);
    List<Instant> found =
        timelines
            .moments(known.keySet(), window.edge(), window.newestFirst(), window.most() + 1)
            .stream()
            .filter(window::has)
            .toList();
    boolean more = found.size() > window.most();
    List<Instant> shown = more ? found.subList(0, window.most()) : found;
    return new TimelineView(
        tiers(known),
        oldest,
        newest,
        known.values().stream().mapToLong(JournalInfo::points).max().orElseThrow(),
        known.values().stream().mapToLong(JournalInfo::keptBytes).sum(),
        without,
        shown.stream().map(TimelineMoment::new).toList(),
        more ? window.cursor(shown.getLast()) : null);
  }

  /// The tiers of all, each once, the finest first.
  private static List<TimelineTier> tiers(Map<VolumeId, JournalInfo> known) {
    return known.values().stream()
        .flatMap(info -> info.tiers().stream())
        .distinct()
        .sorted(Comparator.comparing(JournalTier::every).thenComparing(JournalTier::keep))
        .map(tier -> new TimelineTier(TimeText.iso(tier.every()), TimeText.iso(tier.keep())))
        .toList();
  }
}
