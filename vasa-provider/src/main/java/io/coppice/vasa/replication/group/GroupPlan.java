package io.coppice.vasa.replication.group;

import io.coppice.vasa.protection.rule.PointTier;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The plan of a replication group: what an administrator decides.
///
/// @param name unique among the groups of a pool
/// @param peer id of the pool at the other end
/// @param interval from the beginning of one cycle to that of the next
/// @param rpo how old the newest replica at the target may be; null for the usual one: see
///   [#promise]
/// @param keep the tiers by which replicas are kept at the target; the newest one always stays
/// @param machines ids of virtual machines, whose config and data vVols are members
/// @param volumes ids of volumes that are members
/// @param container id or name of the storage container at the other end that gets the volumes of a
///   fail-over; null for the first one
/// @param paused whether no cycle begins by itself
public record GroupPlan(
    String name,
    UUID peer,
    Duration interval,
    @Nullable Duration rpo,
    List<PointTier> keep,
    List<String> machines,
    List<UUID> volumes,
    @Nullable String container,
    boolean paused) {

  /// Shortest interval.
  public static final Duration SHORTEST = Duration.ofSeconds(5);

  /// Longest interval.
  public static final Duration LONGEST = Duration.ofHours(24);

  /// Longest RPO.
  public static final Duration LONGEST_RPO = Duration.ofDays(7);

  private static final int USUAL_INTERVALS = 2;
  private static final Duration LEAST_USUAL = Duration.ofSeconds(15);

  /// Longest time for which a tier keeps replicas, and longest time between two of them.
  public static final Duration LONGEST_KEPT = Duration.ofDays(3650);

  /// Longest name, in characters.
  public static final int LONGEST_NAME = 80;

  /// Most tiers.
  public static final int MOST_TIERS = 8;

  public GroupPlan {
    keep = List.copyOf(keep);
    machines = List.copyOf(machines);
    volumes = List.copyOf(volumes);
  }

  /// The RPO: how old the newest replica at the target may be. The usual one is twice the interval,
  /// and 15 s at least.
  public Duration promise() {
    if (rpo != null) {
      return rpo;
    }
    Duration usual = interval.multipliedBy(USUAL_INTERVALS);
    return usual.compareTo(LEAST_USUAL) < 0 ? LEAST_USUAL : usual;
  }

  /// Whether an RPO may stand beside an interval: it is no shorter, and 7 days at most.
  static boolean isPromise(Duration rpo, Duration interval) {
    return rpo.compareTo(interval) >= 0 && rpo.compareTo(LONGEST_RPO) <= 0;
  }

  GroupPlan withMembers(List<String> otherMachines, List<UUID> otherVolumes) {
    return new GroupPlan(
        name, peer, interval, rpo, keep, otherMachines, otherVolumes, container, paused);
  }
}
