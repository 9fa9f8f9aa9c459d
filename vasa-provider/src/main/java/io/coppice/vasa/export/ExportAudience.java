package io.coppice.vasa.export;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/// The audience of an export as an administrator names it: initiators one by one, hosts, and groups
/// of hosts.
///
/// @param initiators iSCSI names in lower case
/// @param hosts ids of plain hosts
/// @param groups ids of groups of hosts
public record ExportAudience(
    SortedSet<String> initiators, SortedSet<UUID> hosts, SortedSet<UUID> groups) {

  public ExportAudience {
    initiators = Collections.unmodifiableSortedSet(new TreeSet<>(initiators));
    hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
  }

  public ExportAudience(
      Collection<String> initiators, Collection<UUID> hosts, Collection<UUID> groups) {
    this(new TreeSet<>(initiators), new TreeSet<>(hosts), new TreeSet<>(groups));
  }

  /// Single initiators only.
  public static ExportAudience of(Collection<String> initiators) {
    return new ExportAudience(initiators, Set.of(), Set.of());
  }

  boolean isInitiatorsOnly() {
    return hosts.isEmpty() && groups.isEmpty();
  }

  ExportAudience with(String initiator) {
    return new ExportAudience(more(initiators, initiator), hosts, groups);
  }

  ExportAudience without(String initiator) {
    return new ExportAudience(less(initiators, initiator), hosts, groups);
  }

  ExportAudience withHost(UUID host) {
    return new ExportAudience(initiators, more(hosts, host), groups);
  }

  ExportAudience withoutHost(UUID host) {
    return new ExportAudience(initiators, less(hosts, host), groups);
  }

  ExportAudience withGroup(UUID group) {
    return new ExportAudience(initiators, hosts, more(groups, group));
  }

  ExportAudience withoutGroup(UUID group) {
    return new ExportAudience(initiators, hosts, less(groups, group));
  }

  private static <T> Set<T> more(Set<T> some, T one) {
    Set<T> more = new HashSet<>(some);
    more.add(one);
    return more;
  }

  private static <T> Set<T> less(Set<T> some, T one) {
    Set<T> less = new HashSet<>(some);
    less.remove(one);
    return less;
  }
}
