package io.coppice.vasa.statistics;

import java.util.List;
import java.util.Map;

/// Which counters a session wants to hear of, and in which order.
///
/// @param counters by type; types that are missing were not asked for
public record StatisticsContext(Map<CountedEntity, List<Counter>> counters) {

  /// Of a session that has asked for none.
  public static final StatisticsContext NONE = new StatisticsContext(Map.of());

  public StatisticsContext {
    counters = Map.copyOf(counters);
  }
}
