package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import io.coppice.vasa.protection.continuous.ContinuousSettings;
import io.coppice.vasa.protection.rule.RuleLimits;
import java.time.Duration;

/// The settings of protection policies.
///
/// @param rules most rules of one
/// @param shortestInterval least interval of a rule
/// @param points most points that the rules of one keep of a group
/// @param reconcileInterval longest time between two looks at who is to have continuous points
/// @param timelineGrace how long the continuous points stay of a volume that is not protected any
///   more
public record ProtectionProperties(
    int rules,
    Duration shortestInterval,
    int points,
    Duration reconcileInterval,
    Duration timelineGrace) {

  public ProtectionProperties {
    within("vasa.protection.rules", rules, 1, 64);
    within(
        "vasa.protection.shortest-interval",
        shortestInterval,
        Duration.ofMinutes(1),
        Duration.ofHours(24));
    within("vasa.protection.points", points, 1, 10_000);
    within(
        "vasa.protection.reconcile-interval",
        reconcileInterval,
        Duration.ofSeconds(1),
        Duration.ofHours(1));
    within(
        "vasa.protection.timeline-grace",
        timelineGrace,
        Duration.ofMinutes(1),
        Duration.ofDays(366));
  }

  public RuleLimits limits() {
    return new RuleLimits(rules, shortestInterval, points);
  }

  public ContinuousSettings continuous() {
    return new ContinuousSettings(reconcileInterval, timelineGrace);
  }
}
