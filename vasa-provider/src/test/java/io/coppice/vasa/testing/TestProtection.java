package io.coppice.vasa.testing;

import io.coppice.vasa.protection.GroupPromises;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.ProtectionRounds;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.rule.RuleLimits;
import java.time.Duration;

/// The services of protection, wired by hand.
public final class TestProtection {

  public final ProtectionPolicies policies;
  public final RecoveryPoints points;
  public final ProtectedGroups groups;
  public final ProtectionRounds rounds;
  public final GroupPromises promises;

  TestProtection(ControlPlane plane) {
    RuleLimits limits = new RuleLimits(8, Duration.ofMinutes(1), 1000);
    policies =
        new ProtectionPolicies(
            plane.jdbc, plane.transactions, limits, plane.lockLimit, plane.clock);
    points =
        new RecoveryPoints(
            plane.jdbc, plane.store, plane.snapshots, plane.volumes, plane.bin, plane.locked);
    groups = new ProtectedGroups(plane.jdbc, plane.store, policies, points);
    rounds =
        new ProtectionRounds(policies, groups, points, plane.store, plane.ownWork, plane.lockLimit);
    promises = new GroupPromises(plane.jdbc, policies, plane.lockLimit);
  }
}
