package io.coppice.vasa.export;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// The audiences of exports together with the hosts and groups that they name, as they are or would
/// be after a change.
///
/// @param hosts all, by id
/// @param groups all, by id
/// @param byVolume audiences that the change may concern
record Audiences(
    Map<UUID, PlainHost> hosts,
    Map<UUID, HostGroup> groups,
    Map<VolumeId, ExportAudience> byVolume) {

  static Audiences of(HostRecords records) {
    Map<UUID, PlainHost> hosts = new HashMap<>();
    records.hosts().forEach(it -> hosts.put(it.id(), it));
    Map<UUID, HostGroup> groups = new HashMap<>();
    records.groups().forEach(it -> groups.put(it.id(), it));
    return new Audiences(hosts, groups, records.audiences());
  }

  Set<VolumeId> volumes() {
    return byVolume.keySet();
  }

  /// The same with another form of a host.
  Audiences with(PlainHost host) {
    Map<UUID, PlainHost> all = new HashMap<>(hosts);
    all.put(host.id(), host);
    return new Audiences(all, groups, byVolume);
  }

  /// The same with another form of a group.
  Audiences with(HostGroup group) {
    Map<UUID, HostGroup> all = new HashMap<>(groups);
    all.put(group.id(), group);
    return new Audiences(hosts, all, byVolume);
  }

  /// Another audience of one export, and no other export.
  Audiences with(VolumeId volume, ExportAudience audience) {
    return new Audiences(hosts, groups, Map.of(volume, audience));
  }

  /// All initiators of an audience.
  Set<String> initiatorsOf(ExportAudience audience) {
    Set<String> all = new TreeSet<>(audience.initiators());
    hostsOf(audience).forEach(host -> all.addAll(host.initiators()));
    return all;
  }

  /// The hosts of an audience, also those of its groups.
  Collection<PlainHost> hostsOf(ExportAudience audience) {
    Map<UUID, PlainHost> all = new TreeMap<>();
    audience.hosts().forEach(id -> find(id).ifPresent(it -> all.put(id, it)));
    for (UUID group : audience.groups()) {
      HostGroup known = groups.get(group);
      if (known != null) {
        known.hosts().forEach(id -> find(id).ifPresent(it -> all.put(id, it)));
      }
    }
    return all.values();
  }

  private Optional<PlainHost> find(UUID id) {
    return Optional.ofNullable(hosts.get(id));
  }

  /// Checks that every initiator that is missing at an export could be added.
  ///
  /// @throws RefusedException if not, as [LunDirectory#addInitiator]
  void check(LunDirectory luns) {
    Map<String, VolumeId> taken = new HashMap<>();
    for (Change change : changes(luns)) {
      if (change.total() > InitiatorNames.MOST) {
        throw new RefusedException(
            Reason.INVALID,
            "expected at most %d initiators of an export, but volume %s would have %d"
                .formatted(InitiatorNames.MOST, change.export().volume(), change.total()));
      }
      for (String name : change.more()) {
        luns.checkInitiator(change.export().volume(), name);
        VolumeId other = taken.put(change.export().lun() + " " + name, change.export().volume());
        if (other != null) {
          throw new RefusedException(
              Reason.IN_USE,
              "LUN %d would name two volumes for initiator %s: %s and %s"
                  .formatted(change.export().lun(), name, other, change.export().volume()));
        }
      }
    }
  }

  /// Adds initiators to exports and takes others away until they are as named here. Each step is
  /// stable; all may be repeated.
  void bringInLine(LunDirectory luns) {
    for (Change change : changes(luns)) {
      VolumeId volume = change.export().volume();
      change.less().forEach(it -> luns.removeInitiator(OperationId.random(), volume, it));
      change.more().forEach(it -> luns.addInitiator(OperationId.random(), volume, it));
    }
  }

  /// The difference between an export as it is and as it is named here.
  private record Change(Export export, int total, Set<String> more, Set<String> less) {}

  private List<Change> changes(LunDirectory luns) {
    return byVolume.entrySet().stream()
        .flatMap(
            entry ->
                luns.exportOf(entry.getKey()).stream()
                    .map(export -> change(export, initiatorsOf(entry.getValue()))))
        .toList();
  }

  private static Change change(Export export, Set<String> wanted) {
    Set<String> more = new TreeSet<>(wanted);
    more.removeAll(export.initiators());
    Set<String> less = new TreeSet<>(export.initiators());
    less.removeAll(wanted);
    return new Change(export, wanted.size(), more, less);
  }
}
