package io.coppice.vasa.replication;

import java.util.UUID;

/// A fault domain: things that fail together, here one array.
///
/// @param id unique among all providers
/// @param arrayId identifier of the storage array
/// @param provider uid of the provider that manages it
public record FaultDomain(
    String id, String name, String description, String arrayId, String provider) {

  /// The id of the fault domain that a pool is.
  public static String idOf(UUID pool) {
    return "FaultDomain:" + pool;
  }
}
