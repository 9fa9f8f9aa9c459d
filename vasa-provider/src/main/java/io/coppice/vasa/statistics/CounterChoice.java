package io.coppice.vasa.statistics;

import java.util.List;

/// Counters of one type of entity, as they are offered or as a client wants them.
///
/// @param entityType `EntityTypeEnum` value
/// @param counters ids, in the order in which values are wanted
/// @param entitiesPerCall most entities of one call that asks for values
/// @param pollingSeconds time between two such calls
public record CounterChoice(
    String entityType, List<Integer> counters, int entitiesPerCall, int pollingSeconds) {

  public CounterChoice {
    counters = List.copyOf(counters);
  }
}
