package io.coppice.vasa.replication.group;

import io.coppice.replication.Replica;
import io.coppice.vasa.protection.rule.PointTier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The choice of the replicas that tiers do not keep.
///
/// A tier keeps the first replica of each of its periods until it is too old. A replica with a name
/// stays as long as the longest tier says. The newest one always stays: it is the base of the next
/// cycle.
final class ReplicaThinning {

  /// How long replicas with a name stay if there is no tier.
  private static final Duration NAMED = Duration.ofDays(1);

  private ReplicaThinning() {}

  /// @param replicas newest first
  /// @param held a replica that stays whatever the tiers say; null for none
  /// @return those that go, oldest first
  static List<Replica> surplus(
      List<Replica> replicas, List<PointTier> tiers, @Nullable UUID held, Instant now) {
    if (replicas.isEmpty()) {
      return List.of();
    }
    Set<UUID> kept = new HashSet<>();
    kept.add(replicas.getFirst().cycle());
    if (held != null) {
      kept.add(held);
    }
    List<Replica> oldestFirst = replicas.reversed();
    for (PointTier tier : tiers) {
      keep(oldestFirst, tier, now, kept);
    }
    Duration longest =
        tiers.stream().map(PointTier::keepFor).max(Comparator.naturalOrder()).orElse(NAMED);
    List<Replica> surplus = new ArrayList<>();
    for (Replica replica : oldestFirst) {
      boolean isNamed = !replica.name().isEmpty() && isWithin(replica, longest, now);
      if (!isNamed && !kept.contains(replica.cycle())) {
        surplus.add(replica);
      }
    }
    return surplus;
  }

  private static void keep(List<Replica> oldestFirst, PointTier tier, Instant now, Set<UUID> kept) {
    long period = Math.max(1, tier.every().toMillis());
    long last = Long.MIN_VALUE;
    for (Replica replica : oldestFirst) {
      long at = Math.floorDiv(replica.taken().toEpochMilli(), period);
      if (at != last && isWithin(replica, tier.keepFor(), now)) {
        kept.add(replica.cycle());
      }
      last = at;
    }
  }

  private static boolean isWithin(Replica replica, Duration age, Instant now) {
    return !replica.taken().isBefore(now.minus(age));
  }
}
