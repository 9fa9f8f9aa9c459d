package io.coppice.vasa.replication.runbook;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Replica;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.scsi.directory.Export;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.HostGroup;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// The exports of volumes of replication groups, as runbooks want them. Volumes of virtual machines
/// and others that a host made are left out: vCenter binds them. Safe for any thread.
final class RunbookExports {

  private static final String NAME = "vasa." + VolumeChoice.NAME_KEY;
  private static final String ORIGIN = "coppice.origin";

  private final StorageEngine engine;
  private final ReplicationGroups groups;
  private final Exports exports;
  private final PlainHosts hosts;

  RunbookExports(
      StorageEngine engine, ReplicationGroups groups, Exports exports, PlainHosts hosts) {
    this.engine = engine;
    this.groups = groups;
    this.exports = exports;
    this.hosts = hosts;
  }

  // ---- made and taken back

  /// Exports the volumes that a group shows here. One that is exported so already stays so.
  ///
  /// @return the number of volumes that are exported now
  /// @throws VasaException as [Exports#export]; those before it are exported
  int export(ReplicatedGroup group, RunbookExport wanted) {
    List<VolumeInfo> volumes = volumes(group);
    for (int i = 0; i < volumes.size(); i++) {
      VolumeId volume = volumes.get(i).id();
      int place = i;
      Optional<Integer> lun = Optional.ofNullable(wanted.lun()).map(first -> first + place);
      // A number that rests is taken unless a session holds it: a test of each night wants the
      // same.
      FaultTranslation.translated(
          () -> exports.export(volume, lun, Optional.of(false), wanted.audience(), true));
    }
    return volumes.size();
  }

  /// Ends the exports of a test's volumes to the hosts that the runbook names for tests. One to
  /// others is not the runbook's, and stays.
  void unexport(ReplicatedGroup group, RunbookExport wanted) {
    for (VolumeId volume : groups.shown(group)) {
      boolean isOurs =
          exports
              .find(volume)
              .filter(export -> exports.audienceOf(export).equals(wanted.audience()))
              .isPresent();
      if (isOurs) {
        FaultTranslation.runTranslated(() -> exports.unexport(volume));
      }
    }
  }

  private List<VolumeInfo> volumes(ReplicatedGroup group) {
    List<VolumeInfo> shown =
        group.state() == GroupState.INTEST
            ? groups.shown(group).stream().flatMap(id -> engine.find(id).stream()).toList()
            : groups.volumes(group);
    return shown.stream()
        .filter(info -> !isOfHost(info) && !isCopyOfMachine(info))
        .sorted(
            Comparator.<VolumeInfo, String>comparing(
                    info -> info.attributes().getOrDefault(NAME, ""))
                .thenComparing(info -> info.id().value()))
        .toList();
  }

  private static boolean isOfHost(VolumeInfo info) {
    return PoolAttributes.machine(info).isPresent()
        || PoolAttributes.origin(info) == VolumeOrigin.HOST;
  }

  /// A test takes the machine away from its clones, so what they are clones of is asked.
  private boolean isCopyOfMachine(VolumeInfo info) {
    return Optional.ofNullable(info.origin())
        .flatMap(engine::find)
        .filter(ReplicaAttributes::isReplica)
        .map(ReplicaAttributes::ofSource)
        .filter(told -> told.containsKey(PoolAttributes.MACHINE))
        .isPresent();
  }

  // ---- looked at

  /// What is missing for the export of a replica's volumes, or stands in its way.
  ///
  /// @param what begins each sentence, such as `for tests: `; may be empty
  List<String> obstacles(RunbookExport wanted, Replica replica, String what) {
    List<String> found = new ArrayList<>();
    Optional<Set<String>> initiators = initiators(wanted);
    if (initiators.isEmpty()) {
      found.add(
          "%sthere is no %s %s any more"
              .formatted(
                  what,
                  wanted.host() == null ? "host group" : "host",
                  wanted.host() == null ? wanted.hostGroup() : wanted.host()));
      return found;
    }
    if (initiators.get().isEmpty()) {
      found.add("%shost group %s has no host".formatted(what, wanted.hostGroup()));
    }
    Integer first = wanted.lun();
    long count = exportable(replica);
    if (first != null && count > 0) {
      long last = first + count - 1;
      if (last > RunbookBounds.LARGEST_LUN) {
        found.add(
            "%sthe LUNs of %d volumes from %d on end behind %d"
                .formatted(what, count, first, RunbookBounds.LARGEST_LUN));
      }
      for (Export export : exports.list()) {
        boolean meets = export.initiators().stream().anyMatch(initiators.get()::contains);
        if (export.lun() >= first && export.lun() <= last && meets) {
          found.add(
              "%sLUN %d is taken by volume %s for one of the initiators"
                  .formatted(what, export.lun(), export.volume()));
        }
      }
    }
    return found;
  }

  private long exportable(Replica replica) {
    return replica.snapshots().values().stream()
        .flatMap(snapshot -> engine.find(snapshot).stream())
        .map(ReplicaAttributes::ofSource)
        .filter(RunbookExports::isPlain)
        .count();
  }

  private static boolean isPlain(Map<String, String> told) {
    return !told.containsKey(PoolAttributes.MACHINE)
        && !VolumeOrigin.HOST.name().equals(told.get(ORIGIN));
  }

  /// The initiators that an export would have; empty if its hosts are not there.
  private Optional<Set<String>> initiators(RunbookExport wanted) {
    ExportAudience audience = wanted.audience();
    Set<UUID> ids = new TreeSet<>(audience.hosts());
    for (UUID id : audience.groups()) {
      Optional<HostGroup> group =
          hosts.groups().stream().filter(one -> one.id().equals(id)).findFirst();
      if (group.isEmpty()) {
        return Optional.empty();
      }
      ids.addAll(group.get().hosts());
    }
    Set<String> initiators = new TreeSet<>();
    for (UUID id : ids) {
      Optional<PlainHost> host = hosts.findHost(id);
      if (host.isEmpty()) {
        return Optional.empty();
      }
      initiators.addAll(host.get().initiators());
    }
    return Optional.of(initiators);
  }
}
