package io.coppice.driver.soap;

import java.util.List;

/// Arrays, endpoints and containers, contract 5.1 (catalog), 5.2 and 5.5. An empty list of ids asks
/// for all.
public final class InventoryCalls {
  private final VasaClient client;

  InventoryCalls(VasaClient client) {
    this.client = client;
  }

  public List<MessageCatalog> queryCatalog() {
    return client.ask("queryCatalog", null).all("ns:return").stream()
        .map(MessageCatalog::of)
        .toList();
  }

  public int getNumberOfEntities(String entityType) {
    Xml reply = client.ask("getNumberOfEntities", x -> x.text("ns:entityType", entityType));
    return (int) reply.number("ns:return", 0);
  }

  public List<String> queryUniqueIdentifiersForEntity(String entityType) {
    return client
        .ask("queryUniqueIdentifiersForEntity", x -> x.text("ns:entityType", entityType))
        .texts("ns:return");
  }

  public List<StorageArray> queryArrays(List<String> ids) {
    return client.ask("queryArrays", x -> x.each("ns:arrayUniqueId", ids)).all("ns:return").stream()
        .map(StorageArray::of)
        .toList();
  }

  public List<String> queryProtocolEndpointForArray(String arrayId) {
    return client
        .ask("queryProtocolEndpointForArray", x -> x.text("ns:arrayId", arrayId))
        .texts("ns:return");
  }

  public List<ProtocolEndpoint> queryProtocolEndpoint(List<String> ids) {
    return client
        .ask("queryProtocolEndpoint", x -> x.each("ns:peId", ids))
        .all("ns:return")
        .stream()
        .map(ProtocolEndpoint::of)
        .toList();
  }

  /// Tells which endpoints this host sees.
  public void setPEContext(List<ProtocolEndpoint> seen) {
    client.tell(
        "setPEContext",
        x -> seen.forEach(endpoint -> x.element("ns:listOfHostPE", endpoint::write)));
  }

  public List<String> queryStorageContainerForArray(String arrayId) {
    return client
        .ask("queryStorageContainerForArray", x -> x.text("ns:arrayId", arrayId))
        .texts("ns:return");
  }

  public List<StorageContainer> queryStorageContainer(List<String> ids) {
    return client
        .ask("queryStorageContainer", x -> x.each("ns:containerId", ids))
        .all("ns:return")
        .stream()
        .map(StorageContainer::of)
        .toList();
  }

  /// Space of the whole container, or of each of `profileIds`.
  public List<ContainerSpaceStats> spaceStatsForStorageContainer(
      String containerId, List<String> profileIds) {
    return client
        .ask(
            "spaceStatsForStorageContainer",
            x -> x.text("ns:containerId", containerId).each("ns:capabilityProfileId", profileIds))
        .all("ns:return")
        .stream()
        .map(ContainerSpaceStats::of)
        .toList();
  }
}
