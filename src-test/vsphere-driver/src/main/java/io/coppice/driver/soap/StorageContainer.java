package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// A storage container; sizes are in MB of 2^20 bytes.
public record StorageContainer(
    String id, String name, long maxVvolSizeMb, @Nullable String protocolEndpointType) {
  static StorageContainer of(Xml x) {
    return new StorageContainer(
        x.required("data:uniqueIdentifier"),
        x.required("data:name"),
        x.number("data:maxVvolSizeMB"),
        x.text("data:protocolEndPointType"));
  }
}
