package io.coppice.vasa.protection.continuous;

import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.PointTier;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The columns of a continuous rule, `tier_every_s` and `tier_keep_s`.
public final class TierColumns {

  private TierColumns() {}

  public static ContinuousRule read(ResultSet row) throws SQLException {
    Long[] every = (Long[]) row.getArray("tier_every_s").getArray();
    Long[] keep = (Long[]) row.getArray("tier_keep_s").getArray();
    List<PointTier> tiers = new ArrayList<>();
    for (int place = 0; place < every.length; place++) {
      tiers.add(new PointTier(Duration.ofSeconds(every[place]), Duration.ofSeconds(keep[place])));
    }
    return new ContinuousRule(tiers);
  }

  public static Long[] every(ContinuousRule rule) {
    return seconds(rule, PointTier::every);
  }

  public static Long[] keep(ContinuousRule rule) {
    return seconds(rule, PointTier::keepFor);
  }

  private static Long[] seconds(ContinuousRule rule, Function<PointTier, Duration> time) {
    return rule.tiers().stream().map(time.andThen(Duration::toSeconds)).toArray(Long[]::new);
  }
}
