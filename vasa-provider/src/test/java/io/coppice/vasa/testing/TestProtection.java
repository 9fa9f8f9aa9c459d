package io.coppice.vasa.testing;

import io.coppice.vasa.protection.GroupPromises;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.ProtectionRounds;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.continuous.ContinuousSettings;
import io.coppice.vasa.protection.continuous.PointCuts;
import io.coppice.vasa.protection.rule.RuleLimits;
import java.time.Duration;

/// The services of protection, wired by hand.
public final class TestProtection {

  /// Grace of the journals of volumes that nothing protects any more.
  public static final Duration GRACE = Duration.ofDays(1);

  /// Longest time between two looks at what is to have a journal.
  public static final Duration INTERVAL = Duration.ofSeconds(30);

  public final PointCuts cuts;
  public final ContinuousProtection continuous;
  public final ProtectionPolicies policies;
  public final RecoveryPoints points;
  public final ProtectedGroups groups;
  public final ProtectionRounds rounds;
  public final GroupPromises promises;

  TestProtection(ControlPlane plane) {
    cuts = new PointCuts(plane.store.engine().journals(), plane.clock::nanos);
    continuous =
        new ContinuousProtection(
            plane.jdbc, plane.store, cuts, plane.ownWork, new ContinuousSettings(INTERVAL, GRACE));
    RuleLimits limits = new RuleLimits(8, Duration.ofMinutes(1), 1000);
    policies =
        new ProtectionPolicies(
            plane.jdbc, plane.transactions, limits, plane.lockLimit, continuous, plane.clock);
    points =
        new RecoveryPoints(
            plane.jdbc, plane.store, plane.snapshots, plane.volumes, plane.bin, plane.locked);
    groups = new ProtectedGroups(plane.jdbc, plane.store, policies, points, continuous);
    rounds =
        new ProtectionRounds(policies, groups, points, plane.store, plane.ownWork, plane.lockLimit);
    promises = new GroupPromises(plane.jdbc, policies, plane.lockLimit, continuous);
  }
}
