package io.coppice.driver.soap;

import java.util.List;

/// Statistics, contract 5.10.
public final class StatisticsCalls {
  private final Exchange exchange;

  /// A choice of counters of one entity type of an array.
  ///
  /// @param pollingInterval how often they are asked for, in seconds
  public record Manifest(
      String arrayId, String entityType, List<Long> counterIds, long pollingInterval) {
    public Manifest {
      counterIds = List.copyOf(counterIds);
    }

    private void write(XmlText xml) {
      xml.text("stats:arrayId", arrayId)
          .element(
              "stats:entityStatisticsManifest",
              entity -> {
                counterIds.forEach(
                    id ->
                        entity.element(
                            "stats:counterInfo", counter -> counter.text("stats:counterId", id)));
                entity
                    .text("stats:entityTypeName", entityType)
                    .text("stats:maxRetrievalSize", 100)
                    .text("stats:pollingInterval", pollingInterval);
              });
    }
  }

  StatisticsCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// Returns the `stats:ArrayStatisticsManifest` elements as they came.
  public List<Xml> queryAssociatedStatisticsManifestForArray(List<Manifest> asked) {
    return exchange
        .ask(
            "queryAssociatedStatisticsManifestForArray",
            x -> asked.forEach(each -> x.element("ns:arrayStatisticsManifest", each::write)))
        .all("ns:return");
  }

  public void setStatisticsContext(List<Manifest> wanted) {
    exchange.send(
        "setStatisticsContext",
        x -> wanted.forEach(each -> x.element("ns:arrayStatisticsManifest", each::write)));
  }

  /// Returns the `stats:AssociatedStatistics` elements as they came.
  public List<Xml> queryAssociatedStatisticsForEntity(String entityType, List<String> entityIds) {
    return exchange
        .ask(
            "queryAssociatedStatisticsForEntity",
            x -> x.text("ns:entityTypeName", entityType).each("ns:entityId", entityIds))
        .all("ns:return");
  }
}
