package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The effect of other rules and tiers on the groups of a policy, if they took the place of its own
/// now.
///
/// @param groups those that the policy protects, by name
/// @param tiers those of now that the others do not make up for
public record ProtectionEffect(List<OfGroup> groups, List<PointTier> tiers) {

  public ProtectionEffect {
    groups = List.copyOf(groups);
    tiers = List.copyOf(tiers);
  }

  /// The effect on one group.
  ///
  /// @param volumes its volumes
  /// @param points its recovery points
  /// @param lost how many of these would be given up, beyond those that go now anyway
  /// @param left how many of these no rule would give up any more, as one that wanted them is gone
  /// @param oldest when the oldest was taken that would be kept, by the time that has passed; null
  ///   if none would
  public record OfGroup(
      ProtectedGroup group, int volumes, int points, int lost, int left, @Nullable Instant oldest) {

    /// @param points in the order of their age, the oldest first
    static OfGroup of(
        ProtectedGroup group,
        int volumes,
        List<RecoveryPoint> points,
        ProtectionRules before,
        ProtectionRules after,
        Instant now) {
      List<RecoveryPoint> anyway = before.expired(points, now);
      List<RecoveryPoint> lost = new ArrayList<>(after.expired(points, now));
      lost.removeAll(anyway);
      Set<RecoveryPoint> gone = new HashSet<>(anyway);
      gone.addAll(lost);
      Set<String> known = names(before);
      Set<String> wanted = names(after);
      long left =
          points.stream()
              .filter(one -> known.containsAll(one.rules()) && !wanted.containsAll(one.rules()))
              .count();
      return new OfGroup(
          group,
          volumes,
          points.size(),
          lost.size(),
          Math.toIntExact(left),
          points.stream()
              .filter(one -> !gone.contains(one))
              .map(RecoveryPoint::taken)
              .findFirst()
              .orElse(null));
    }

    private static Set<String> names(ProtectionRules rules) {
      return rules.rules().stream().map(ProtectionRule::name).collect(Collectors.toSet());
    }
  }
}
