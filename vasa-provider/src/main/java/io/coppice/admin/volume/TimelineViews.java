package io.coppice.admin.volume;

import io.coppice.api.timeline.TimelineMoment;
import io.coppice.api.timeline.TimelineTier;
import io.coppice.api.timeline.TimelineView;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.continuous.TimelineEnds;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.timeline.Timelines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
  private final ContinuousProtection continuous;

  TimelineViews(Timelines timelines, ContinuousProtection continuous) {
    this.timelines = timelines;
    this.continuous = continuous;
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
      return new TimelineView(List.of(), null, null, null, 0, 0, without, List.of(), null);
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
    TimelineEnds ends = continuous.ends(known.keySet());
    return new TimelineView(
        tiers(known, ends),
        oldest,
        newest,
        volumes.stream()
            .flatMap(volume -> ends.of(volume).stream())
            .min(Comparator.naturalOrder())
            .orElse(null),
        known.values().stream().mapToLong(JournalInfo::points).max().orElseThrow(),
        known.values().stream().mapToLong(JournalInfo::keptBytes).sum(),
        without,
        shown.stream().map(TimelineMoment::new).toList(),
        more ? window.cursor(shown.getLast()) : null);
  }

  /// The tiers of all, each once, the finest first. One that some volumes keep has no end.
  private static List<TimelineTier> tiers(Map<VolumeId, JournalInfo> known, TimelineEnds ends) {
    Map<JournalTier, Instant> all = new HashMap<>();
    known.forEach(
        (volume, info) ->
            info.tiers()
                .forEach(
                    tier ->
                        all.merge(
                            tier,
                            ends.of(volume, tier.every()).orElse(Instant.MAX),
                            (one, other) -> one.isAfter(other) ? one : other)));
    return all.entrySet().stream()
        .sorted(
            Map.Entry.comparingByKey(
                Comparator.comparing(JournalTier::every).thenComparing(JournalTier::keep)))
        .map(tier -> view(tier.getKey(), tier.getValue()))
        .toList();
  }

  private static TimelineTier view(JournalTier tier, Instant end) {
    return new TimelineTier(
        TimeText.iso(tier.every()),
        TimeText.iso(tier.keep()),
        end.equals(Instant.MAX) ? null : end);
  }
}
