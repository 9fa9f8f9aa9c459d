package io.coppice.driver.vcenter;

import io.coppice.driver.soap.MessageCatalog;
import io.coppice.driver.soap.StorageArray;
import io.coppice.driver.soap.StorageContainer;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.Xml;
import java.util.List;

/// The inventory of a provider, as a full sync has read it.
public record Inventory(
    List<MessageCatalog> catalogs,
    List<StorageArray> arrays,
    List<StorageContainer> containers,
    List<String> containerIds,
    List<String> endpointIds,
    List<Xml> schemas,
    List<StorageProfile> profiles) {

  /// The container with this name.
  public StorageContainer container(String name) {
    return containers.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("expected container " + name + ", got " + containers));
  }
}
