package io.coppice.vasa.export;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.unit.ReachLog;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeLocks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Service;

/// Volumes served as plain logical units: snapshots, clones, and volumes that an administrator made
/// for it. Only the pool knows the exports; there are no rows.
@Service
public final class Exports {

  private final LunDirectory luns;
  private final VirtualVolumes volumes;
  private final VolumeLocks locks;
  private final PlainHosts hosts;
  private final ChangeLog changes;
  private final ReachLog.ByVolume reaches;

  public Exports(
      LunDirectory luns,
      VirtualVolumes volumes,
      VolumeLocks locks,
      PlainHosts hosts,
      ChangeLog changes,
      ReachLog.ByVolume reaches) {
    this.reaches = reaches;
    this.luns = luns;
    this.hosts = hosts;
    this.volumes = volumes;
    this.locks = locks;
    this.changes = changes;
  }

  /// Serves a volume to an audience; stable on return.
  ///
  /// @param lun empty for the next one
  /// @param readOnly empty for true if it is a snapshot, else false
  /// @param force takes a number that rests, if no session holds it
  /// @throws VasaException (NotFound) if the volume, a host or a group is unknown; (NotSupported)
  ///   if a virtual machine writes to it; (InvalidArgument) if a snapshot is to be written to
  /// @throws RefusedException (IN_USE) if it is bound or exported or the number is taken; (RESTING)
  ///   if the number rests; (INVALID) if a name or the number is not one
  public Export export(
      VolumeId id,
      Optional<Integer> lun,
      Optional<Boolean> readOnly,
      ExportAudience audience,
      boolean force) {
    try (var _ = locks.hold(id)) {
      VirtualVolume volume = volumes.requireReachable(id);
      checkExportable(volume, readOnly);
      boolean served = readOnly.orElse(volume.snapshot());
      boolean isRepeat = isExported(id);
      Export made =
          discreetly(
              () ->
                  hosts.export(
                      id,
                      named(audience),
                      all ->
                          luns.export(
                              OperationId.random(),
                              new ExportRequest(id, lun, served, all, force))));
      if (!isRepeat) {
        note(
            ChangeKind.NEW,
            "ExportNew",
            made,
            Map.of("initiators", String.join(", ", made.initiators())));
      }
      return made;
    }
  }

  /// The result of a call whose refusal tells of no volume that the viewer may not see.
  private Export discreetly(Supplier<Export> call) {
    try {
      return call.get();
    } catch (RefusedException e) {
      Set<VolumeId> other = e.other().map(Set::of).orElse(Set.of());
      if (volumes.seen(other).equals(other)) {
        throw e;
      }
      throw new RefusedException(
          RefusedException.Reason.IN_USE,
          "expected a LUN that is free for each initiator, but this one is in use for one of them: a new export without a number gets the next free one");
    }
  }

  private static ExportAudience named(ExportAudience audience) {
    Set<String> names = InitiatorNames.all(audience.initiators());
    return new ExportAudience(names, audience.hosts(), audience.groups());
  }

  /// The audience of an export as it was named.
  public ExportAudience audienceOf(Export export) {
    return hosts.audienceOf(export);
  }

  private static void checkExportable(VirtualVolume volume, Optional<Boolean> readOnly) {
    if (volume.snapshot() && readOnly.isPresent() && !readOnly.get()) {
      throw VasaException.invalidArgument(
              "expected readOnly for a snapshot, which %s is".formatted(volume.id()))
          .about("readOnly");
    }
    if (!volume.snapshot() && volume.parent() == null && volume.origin() == VolumeOrigin.HOST) {
      throw new VasaException(
          new Fault.NotSupported(),
          "expected a snapshot, a clone or a plain volume, but %s belongs to a virtual machine"
              .formatted(volume.id()));
    }
  }

  /// Serves an exported volume to one more initiator; stable on return. Does nothing if it is among
  /// those that were named one by one.
  ///
  /// @throws VasaException (NotFound) if the volume is not exported
  /// @throws RefusedException (RESTING) if its number rests for the initiator; (INVALID) if the
  ///   name is none or there are too many
  public Export addInitiator(VolumeId id, String initiator) {
    try (var _ = locks.hold(id)) {
      String name = InitiatorNames.one(initiator);
      return change(id, "ExportInitiatorAdded", "initiator", name, audience -> audience.with(name));
    }
  }

  /// Takes an exported volume away from one initiator. On return none of its commands runs there
  /// any more, and none will ([LunDirectory#removeInitiator]).
  ///
  /// @throws VasaException (NotFound) if the volume is not exported
  /// @throws RefusedException (INVALID) if the name is none; (IN_USE) if it reaches the volume as
  ///   an initiator of a host
  public Export removeInitiator(VolumeId id, String initiator) {
    try (var _ = locks.hold(id)) {
      Export export = require(id);
      String name = InitiatorNames.one(initiator);
      requireNotByHost(export, name);
      change(id, "ExportInitiatorRemoved", "initiator", name, audience -> audience.without(name));
      // Also if it is gone: the call waits for the one that took it away.
      return luns.removeInitiator(OperationId.random(), id, name);
    }
  }

  private void requireNotByHost(Export export, String name) {
    hosts
        .hostOf(hosts.audienceOf(export), name)
        .ifPresent(
            host -> {
              throw new RefusedException(
                  RefusedException.Reason.IN_USE,
                  "expected an initiator that was named itself, but %s reaches volume %s as one of host %s (%s)"
                      .formatted(name, export.volume(), host.name(), host.id()));
            });
  }

  /// Serves an exported volume to all initiators of one more host; stable on return. Repeatable.
  ///
  /// @throws VasaException (NotFound) if the volume is not exported or the host is unknown
  /// @throws RefusedException as in [#addInitiator]
  public Export addHost(VolumeId id, UUID host) {
    try (var _ = locks.hold(id)) {
      return change(
          id, "ExportHostAdded", "host", hosts.hostText(host), audience -> audience.withHost(host));
    }
  }

  /// Takes an exported volume away from a host. It is a fence for those of its initiators that have
  /// no other claim. Repeatable.
  ///
  /// @throws VasaException (NotFound) if the volume is not exported
  public Export removeHost(VolumeId id, UUID host) {
    try (var _ = locks.hold(id)) {
      return change(
          id,
          "ExportHostRemoved",
          "host",
          hosts.hostText(host),
          audience -> audience.withoutHost(host));
    }
  }

  /// Does the same as [#addHost] for all hosts of a group, those of later too.
  public Export addGroup(VolumeId id, UUID group) {
    try (var _ = locks.hold(id)) {
      return change(
          id,
          "ExportGroupAdded",
          "group",
          hosts.groupText(group),
          audience -> audience.withGroup(group));
    }
  }

  /// Does the same as [#removeHost] for all hosts of a group.
  public Export removeGroup(VolumeId id, UUID group) {
    try (var _ = locks.hold(id)) {
      return change(
          id,
          "ExportGroupRemoved",
          "group",
          hosts.groupText(group),
          audience -> audience.withoutGroup(group));
    }
  }

  /// The caller holds the volume's lock.
  ///
  /// @param parameter of the sentence, and its value
  private Export change(
      VolumeId id,
      String message,
      String parameter,
      String value,
      UnaryOperator<ExportAudience> change) {
    ExportAudience before = hosts.audienceOf(require(id));
    Export after = discreetly(() -> hosts.change(id, change));
    if (!hosts.audienceOf(after).equals(before)) {
      note(ChangeKind.UPDATE, message, after, Map.of(parameter, value));
    }
    return after;
  }

  /// Ends an export after its outstanding commands have ended.
  ///
  /// @return the former export, and the sessions that may not have noticed
  /// @throws VasaException (NotFound) if there is none
  public FormerExport unexport(VolumeId id) {
    try (var _ = locks.hold(id)) {
      require(id);
      FormerExport former =
          hosts
              .end(id, () -> luns.unexport(OperationId.random(), id))
              .orElseThrow(() -> unknown(id));
      note(ChangeKind.DELETE, "ExportDelete", former.export(), Map.of());
      return former;
    }
  }

  private void note(
      ChangeKind kind, String message, Export export, Map<String, String> parameters) {
    VolumeId id = export.volume();
    Optional<VirtualVolume> volume = volumes.find(id);
    Map<String, String> all = new HashMap<>(parameters);
    all.put("volume", volume.map(VolumeChanges::name).orElse(id.toString()));
    all.put("lun", Integer.toString(export.lun()));
    NewChange change =
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.EXPORT, id.toString(), message),
            all);
    changes.note(volume.map(one -> change.in(one.container())).orElse(change));
  }

  /// The result of a change of a volume's export. Nobody else changes the export meanwhile, nor the
  /// hosts and groups that it names.
  ///
  /// @throws VasaException (VasaProviderBusy) if another change of the volume lasts too long
  public <T> T alone(VolumeId id, Supplier<T> change) {
    try (var _ = locks.hold(id)) {
      return hosts.alone(change);
    }
  }

  /// @throws VasaException (NotFound) if there is none
  public Export require(VolumeId id) {
    return luns.exportOf(id)
        .filter(_ -> volumes.seen(Set.of(id)).contains(id))
        .orElseThrow(() -> unknown(id));
  }

  /// The exports of volumes that the token of the current call may see.
  public List<Export> list() {
    List<Export> all = luns.exports();
    Set<VolumeId> seen = volumes.seen(all.stream().map(Export::volume).toList());
    return all.stream().filter(export -> seen.contains(export.volume())).toList();
  }

  /// The volumes of exports that name a plain host, itself or by a group, whoever looks.
  public Set<VolumeId> volumesFor(UUID host) {
    return hosts.exportedTo(host);
  }

  /// The export of a volume, whoever looks.
  public Optional<Export> find(VolumeId id) {
    return luns.exportOf(id);
  }

  public boolean isExported(VolumeId id) {
    return find(id).isPresent();
  }

  /// Those of an export's initiators that have sent commands to it.
  public List<ReachLog.Visitor> reachesOf(Export export) {
    return reaches.of(export.volume()).stream()
        .filter(one -> export.initiators().contains(one.initiator()))
        .toList();
  }

  /// The name of a volume's logical unit for initiators (VPD page 83h), exported or not.
  public String naaOf(VolumeId id) {
    return luns.naaOf(id);
  }

  /// iSCSI name of the target that serves exports.
  public String target() {
    return luns.plainTarget();
  }

  private static VasaException unknown(VolumeId id) {
    return VasaException.notFound("virtual volume %s is not exported".formatted(id));
  }
}
