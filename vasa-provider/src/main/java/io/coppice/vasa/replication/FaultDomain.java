package io.coppice.vasa.replication;

/// A fault domain: things that fail together, here one array.
///
/// @param id unique among all providers
/// @param arrayId identifier of the storage array
/// @param provider uid of the provider that manages it
public record FaultDomain(
    String id, String name, String description, String arrayId, String provider) {}
