package io.coppice.vasa.protection.continuous;

import io.coppice.engine.Journals;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tiers of journals that no rule wants any more, or for a shorter time, as one round finds
/// them. Each stays as it was for a grace: a policy that was changed by mistake, and is changed
/// back in time, has lost no points.
final class EndingTiers {

  private final Map<Key, Instant> known;
  private final Instant now;
  private final Set<Key> staying = new HashSet<>();

  /// The name of a tier: a journal has each time between points once.
  record Key(VolumeId volume, Duration every) {}

  /// @param known when tiers end of which earlier rounds knew
  EndingTiers(Map<Key, Instant> known, Instant now) {
    this.known = Map.copyOf(known);
    this.now = now;
  }

  /// What the journal of a volume is to have: the tiers that are wanted, and those that stay for
  /// now. If that is more than a journal can have, those that reach back furthest stay.
  List<JournalTier> beside(VolumeId volume, List<JournalTier> wanted, List<JournalTier> present) {
    Map<Duration, Duration> keep = new LinkedHashMap<>();
    wanted.forEach(tier -> keep.put(tier.every(), tier.keep()));
    present.stream()
        .filter(tier -> isLonger(tier, keep.get(tier.every())))
        .sorted(Comparator.comparing(JournalTier::keep).reversed())
        .forEach(
            tier -> {
              boolean fits = keep.containsKey(tier.every()) || keep.size() < Journals.MOST_TIERS;
              if (fits && stays(new Key(volume, tier.every()))) {
                keep.put(tier.every(), tier.keep());
              }
            });
    List<JournalTier> all = new ArrayList<>();
    keep.forEach((every, time) -> all.add(new JournalTier(every, time)));
    return all;
  }

  private static boolean isLonger(JournalTier tier, @Nullable Duration wanted) {
    return wanted == null || tier.keep().compareTo(wanted) > 0;
  }

  private boolean stays(Key tier) {
    Instant end = known.get(tier);
    boolean stays = end == null || end.isAfter(now);
    if (stays) {
      staying.add(tier);
    }
    return stays;
  }

  /// Those that begin to end with this round.
  Set<Key> begun() {
    Set<Key> begun = new HashSet<>(staying);
    begun.removeAll(known.keySet());
    return begun;
  }

  /// Those that have ended, or are wanted again.
  Set<Key> over() {
    Set<Key> over = new HashSet<>(known.keySet());
    over.removeAll(staying);
    return over;
  }
}
