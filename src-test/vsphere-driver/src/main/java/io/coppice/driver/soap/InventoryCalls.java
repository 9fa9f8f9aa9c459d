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
    return exchange.ask("queryCatalog", null).all("ns:return").stream()
        .map(MessageCatalog::of)
        .toList();
  }

  public int getNumberOfEntities(String entityType) {
    Xml reply = exchange.ask("getNumberOfEntities", x -> x.text("ns:entityType", entityType));
    return (int) reply.number("ns:return", 0);
  }

  public List<String> queryUniqueIdentifiersForEntity(String entityType) {
    return exchange
        .ask("queryUniqueIdentifiersForEntity", x -> x.text("ns:entityType", entityType))
        .texts("ns:return");
  }

  public List<String> queryUniqueIdentifiersForLuns(String arrayId) {
    return exchange
        .ask("queryUniqueIdentifiersForLuns", x -> x.text("ns:arrayUniqueId", arrayId))
        .texts("ns:return");
  }

  public List<String> queryUniqueIdentifiersForFileSystems(String arrayId) {
    return exchange
        .ask("queryUniqueIdentifiersForFileSystems", x -> x.text("ns:fsUniqueId", arrayId))
        .texts("ns:return");
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
    return exchange
        .ask("queryArrays", x -> x.each("ns:arrayUniqueId", ids))
        .all("ns:return")
        .stream()
        .map(StorageArray::of)
        .toList();
  }

  public List<String> queryProtocolEndpointForArray(String arrayId) {
    return exchange
        .ask("queryProtocolEndpointForArray", x -> x.text("ns:arrayId", arrayId))
        .texts("ns:return");
  }

  public List<ProtocolEndpoint> queryProtocolEndpoint(List<String> ids) {
    return exchange
        .ask("queryProtocolEndpoint", x -> x.each("ns:peId", ids))
        .all("ns:return")
        .stream()
        .map(ProtocolEndpoint::of)
        .toList();
  }

  /// Tells which endpoints this host sees.
  public void setPEContext(List<ProtocolEndpoint> seen) {
    exchange.tell(
        "setPEContext",
        x -> seen.forEach(endpoint -> x.element("ns:listOfHostPE", endpoint::write)));
  }

  public List<String> queryStorageContainerForArray(String arrayId) {
    return exchange
        .ask("queryStorageContainerForArray", x -> x.text("ns:arrayId", arrayId))
        .texts("ns:return");
  }

  public List<StorageContainer> queryStorageContainer(List<String> ids) {
    return exchange
        .ask("queryStorageContainer", x -> x.each("ns:containerId", ids))
        .all("ns:return")
        .stream()
        .map(StorageContainer::of)
        .toList();
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
    return exchange
        .ask(
            "spaceStatsForStorageContainer",
            x -> x.text("ns:containerId", containerId).each("ns:capabilityProfileId", profileIds))
        .all("ns:return")
        .stream()
        .map(ContainerSpaceStats::of)
        .toList();
  }
}
