package io.coppice.vasa.replication;

/// A group of virtual volumes that are replicated as one, seen from its source.
///
/// @param state in the words of VASA: `SOURCE` while it runs here
public record ReplicationGroup(GroupId id, String name, String state) {}
