package io.coppice.vasa.statistics;

import java.util.List;
import java.util.Map;

/// The counters that a session wants, in its order.
///
/// @param counters by type; missing types were not asked for
public record StatisticsContext(Map<CountedEntity, List<Counter>> counters) {

  /// The context of a session that has asked for no counters.
  public static final StatisticsContext NONE = new StatisticsContext(Map.of());

  public StatisticsContext {
    counters = Map.copyOf(counters);
  }
}
