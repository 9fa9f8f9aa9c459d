package io.coppice.engine.segment;

import io.coppice.engine.format.NodeAddress;

/// The location of a stored page: its address among the nodes of maps, and its CRC32C.
public record StoredPage(long address, int crc) implements BlockLocations.Moved {

  /// The page that a row of the tables references.
  public static StoredPage of(NodeAddress node) {
    return new StoredPage(node.address(), node.crc());
  }

  /// The location as the tables have it.
  public NodeAddress node() {
    return new NodeAddress(address, crc);
  }
}
