package io.coppice.admin.protection;

import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.protection.ContinuousTier;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.PointTier;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Continuous rules of protection policies, from and to their tiers in JSON.
final class ContinuousFields {

  private static final String FIELD = "continuous";

  private ContinuousFields() {}

  /// @param wanted null for no tiers
  /// @throws RequestRejectedException or a fault about `continuous`, if they are no tiers
  static ContinuousRule parse(@Nullable List<ContinuousTier> wanted) {
    List<PointTier> tiers = new ArrayList<>();
    if (wanted != null) {
      for (ContinuousTier tier : wanted) {
        int place = tiers.size() + 1;
        if (Objects.isNull(tier)) {
          throw refused("expected 'every' and 'keepFor' of tier %d, got null".formatted(place));
        }
        tiers.add(
            new PointTier(
                time(place, "every", tier.every()), time(place, "keepFor", tier.keepFor())));
      }
    }
    return RequestRejectedException.about(FIELD, () -> new ContinuousRule(tiers));
  }

  private static Duration time(int place, String field, @Nullable String text) {
    if (text == null) {
      throw refused("expected a value of '%s' of tier %d, got none".formatted(field, place));
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw refused(
          "expected '%s' of tier %d as a length of time such as PT5S or P1D, got '%s'"
              .formatted(field, place, text));
    }
  }

  private static RequestRejectedException refused(String message) {
    return RequestRejectedException.field(FIELD, message);
  }

  static List<ContinuousTier> views(ContinuousRule rule) {
    return rule.tiers().stream()
        .map(
            tier ->
                new ContinuousTier(
                    IsoDurations.text(tier.every()), IsoDurations.text(tier.keepFor())))
        .toList();
  }
}
