package io.coppice.driver.soap;

import java.util.List;

/// Arrays, endpoints and containers, contract 5.1 (catalog), 5.2 and 5.5. An empty list of ids asks
/// for all.
public final class InventoryCalls {
  private final Exchange exchange;

  InventoryCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  public List<MessageCatalog> queryCatalog() {
    return exchange.all("queryCatalog", MessageCatalog::of, null);
  }

  public int getNumberOfEntities(String entityType) {
    Xml reply = exchange.ask("getNumberOfEntities", x -> x.text("ns:entityType", entityType));
    return (int) reply.number("ns:return", 0);
  }

  public List<String> queryUniqueIdentifiersForEntity(String entityType) {
    return exchange.all(
        "queryUniqueIdentifiersForEntity", Xml::text, x -> x.text("ns:entityType", entityType));
  }

  public List<String> queryUniqueIdentifiersForLuns(String arrayId) {
    return exchange.all(
        "queryUniqueIdentifiersForLuns", Xml::text, x -> x.text("ns:arrayUniqueId", arrayId));
  }

  public List<String> queryUniqueIdentifiersForFileSystems(String arrayId) {
    return exchange.all(
        "queryUniqueIdentifiersForFileSystems", Xml::text, x -> x.text("ns:fsUniqueId", arrayId));
  }

  /// Whether data may be moved between two LUNs or file systems for the sake of performance.
  public boolean queryDRSMigrationCapabilityForPerformance(
      String source, String destination, String entityType) {
    return exchange
        .ask(
            "queryDRSMigrationCapabilityForPerformance",
            x ->
                x.text("ns:srcUniqueId", source)
                    .text("ns:dstUniqueId", destination)
                    .text("ns:entityType", entityType))
        .flag("ns:return");
  }

  /// The `data:StorageDrsMigrationCapabilityResult` element as it came.
  public Xml queryDrsMigrationCapabilityForPerformanceEx(List<String> entityIds) {
    return exchange
        .ask("queryDrsMigrationCapabilityForPerformanceEx", x -> x.each("ns:entityId", entityIds))
        .one("ns:return");
  }

  /// The `data:BackingStoragePool` elements as they came.
  public List<Xml> queryBackingStoragePools(List<String> ids) {
    return exchange
        .ask("queryBackingStoragePools", x -> x.each("ns:storagePoolUniqueId", ids))
        .all("ns:return");
  }

  public List<StorageArray> queryArrays(List<String> ids) {
    return exchange.all("queryArrays", StorageArray::of, x -> x.each("ns:arrayUniqueId", ids));
  }

  public List<String> queryProtocolEndpointForArray(String arrayId) {
    return exchange.all(
        "queryProtocolEndpointForArray", Xml::text, x -> x.text("ns:arrayId", arrayId));
  }

  public List<ProtocolEndpoint> queryProtocolEndpoint(List<String> ids) {
    return exchange.all("queryProtocolEndpoint", ProtocolEndpoint::of, x -> x.each("ns:peId", ids));
  }

  /// Reports which endpoints this host sees.
  public void setPEContext(List<ProtocolEndpoint> seen) {
    exchange.send(
        "setPEContext",
        x -> seen.forEach(endpoint -> x.element("ns:listOfHostPE", endpoint::write)));
  }

  public List<String> queryStorageContainerForArray(String arrayId) {
    return exchange.all(
        "queryStorageContainerForArray", Xml::text, x -> x.text("ns:arrayId", arrayId));
  }

  public List<StorageContainer> queryStorageContainer(List<String> ids) {
    return exchange.all(
        "queryStorageContainer", StorageContainer::of, x -> x.each("ns:containerId", ids));
  }

  /// Returns the cookie that later calls may carry.
  public String setStorageContainerContext(String containerId, String userId) {
    return exchange
        .ask(
            "setStorageContainerContext",
            x -> x.text("ns:containerId", containerId).text("ns:userId", userId))
        .required("ns:return");
  }

  /// Space of the whole container, or of each of `profileIds`.
  public List<ContainerSpaceStats> spaceStatsForStorageContainer(
      String containerId, List<String> profileIds) {
    return exchange.all(
        "spaceStatsForStorageContainer",
        ContainerSpaceStats::of,
        x -> x.text("ns:containerId", containerId).each("ns:capabilityProfileId", profileIds));
  }
}
