package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.export.HostGroup;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// The ids of what a runbook names by id or name. Names are looked up once: who renames something
/// leaves runbooks as they are. Safe for any thread.
public final class RunbookNames {

  private final ReplicationGroups groups;
  private final PlainHosts hosts;

  public RunbookNames(ReplicationGroups groups, PlainHosts hosts) {
    this.groups = groups;
    this.hosts = hosts;
  }

  /// @param text id or name of a replication group
  /// @throws VasaException (NotFound) if there is none; (InvalidArgument) if several have the name
  public UUID group(String field, String text) {
    return id(
        field,
        "replication group",
        text,
        groups.list(),
        ReplicatedGroup::id,
        group -> group.plan().name());
  }

  /// @param text id or name of a plain host
  /// @throws VasaException (NotFound) if there is none
  public UUID host(String field, String text) {
    return id(field, "host", text, hosts.hosts(), PlainHost::id, PlainHost::name);
  }

  /// @param text id or name of a group of plain hosts
  /// @throws VasaException (NotFound) if there is none
  public UUID hostGroup(String field, String text) {
    return id(field, "host group", text, hosts.groups(), HostGroup::id, HostGroup::name);
  }

  private static <T> UUID id(
      String field,
      String what,
      String text,
      List<T> all,
      Function<T, UUID> idOf,
      Function<T, String> nameOf) {
    List<UUID> found =
        all.stream().filter(one -> idOf.apply(one).toString().equals(text)).map(idOf).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(one -> nameOf.apply(one).equals(text)).map(idOf).toList();
    }
    if (found.isEmpty()) {
      throw VasaException.notFound(
              "there is no %s \"%s\" here".formatted(what, ShortText.name(text)))
          .about(field);
    }
    if (found.size() > 1) {
      throw VasaException.invalidArgument(
              "expected the id of a %s, since %d have the name \"%s\""
                  .formatted(what, found.size(), ShortText.name(text)))
          .about(field);
    }
    return found.getFirst();
  }
}
