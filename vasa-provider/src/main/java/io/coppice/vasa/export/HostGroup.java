package io.coppice.vasa.export;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/// A group of plain hosts, such as the nodes of a cluster, that get the same exports.
///
/// @param name no other group has it
/// @param hosts ids of plain hosts; may be empty
public record HostGroup(UUID id, String name, SortedSet<UUID> hosts) {

  public HostGroup {
    hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
  }

  HostGroup(UUID id, String name, Collection<UUID> hosts) {
    this(id, name, new TreeSet<>(hosts));
  }
}
