package io.coppice.admin.protection;

import io.coppice.api.protection.GroupPreview;
import io.coppice.api.protection.ProtectionPreview;
import io.coppice.vasa.protection.ProtectionEffect;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.PointTier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/// Effects of drafts of protection policies as REST shows them.
final class ProtectionPreviews {

  private static final int MOST_GROUPS = 1000;

  private ProtectionPreviews() {}

  /// @param points knows when points were taken by the machine's clock
  static ProtectionPreview of(ProtectionEffect effect, RecoveryPoints points) {
    return new ProtectionPreview(
        effect.groups().size(),
        sum(effect, ProtectionEffect.OfGroup::volumes),
        sum(effect, ProtectionEffect.OfGroup::lost),
        sum(effect, ProtectionEffect.OfGroup::left),
        ContinuousFields.views(new ContinuousRule(effect.tiers())),
        sentence(effect),
        effect.groups().stream().limit(MOST_GROUPS).map(one -> item(one, points)).toList());
  }

  private static int sum(ProtectionEffect effect, ToIntFunction<ProtectionEffect.OfGroup> part) {
    return effect.groups().stream().mapToInt(part).sum();
  }

  private static GroupPreview item(ProtectionEffect.OfGroup one, RecoveryPoints points) {
    Instant oldest = one.oldest();
    return new GroupPreview(
        one.group().id(),
        one.group().name(),
        one.volumes(),
        one.points(),
        one.lost(),
        one.left(),
        oldest == null ? null : points.onTheClock(oldest));
  }

  private static String sentence(ProtectionEffect effect) {
    if (effect.groups().isEmpty()) {
      return "No group has this policy.";
    }
    int lost = sum(effect, ProtectionEffect.OfGroup::lost);
    int left = sum(effect, ProtectionEffect.OfGroup::left);
    long losing = effect.groups().stream().filter(one -> one.lost() > 0).count();
    List<String> parts = new ArrayList<>();
    parts.add(
        lost == 0
            ? "No recovery point would be given up"
            : "%s of %s would be given up"
                .formatted(counted(lost, "recovery point"), counted(losing, "group")));
    if (left > 0) {
      parts.add(
          "%s would stay until somebody deletes %s"
              .formatted(counted(left, "recovery point"), left == 1 ? "it" : "them"));
    }
    if (!effect.tiers().isEmpty()) {
      parts.add(
          "continuous points would be lost: "
              + effect.tiers().stream().map(PointTier::text).collect(Collectors.joining(", ")));
    }
    return String.join("; ", parts) + ".";
  }

  private static String counted(long number, String what) {
    return number == 1 ? "1 " + what : "%d %ss".formatted(number, what);
  }
}
