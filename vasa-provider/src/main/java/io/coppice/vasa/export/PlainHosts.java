package io.coppice.vasa.export;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The hosts and groups of hosts that administrators name, and the audiences of exports that are
/// for them. Only the pool knows them; there are no rows. Safe for any thread.
///
/// A change has two parts. First it writes one record: the host, the group or the audience. Then it
/// brings the initiators of each export in line, one by one. What it would be refused there is
/// looked for before the record is written. A crash in between leaves the record, which decides:
/// [#agree] brings the exports in line at the next start. So an initiator that was taken away may
/// reach the volume until then, but nobody has been told otherwise: the call had not returned.
@Service
public final class PlainHosts {

  private static final Logger logger = LoggerFactory.getLogger(PlainHosts.class);

  private final HostRecords records;
  private final LunDirectory luns;
  private final ChangeLog log;

  /// Held by every change: it looks at all hosts, groups and audiences, and writes one of them.
  private final ReentrantLock changing = new ReentrantLock();

  public PlainHosts(StorageEngine engine, LunDirectory luns, ChangeLog log) {
    this.log = log;
    this.records = new HostRecords(engine.records());
    this.luns = luns;
  }

  public List<PlainHost> hosts() {
    return records.hosts();
  }

  /// @throws VasaException (NotFound) if there is none
  public PlainHost requireHost(UUID id) {
    return records.host(id).orElseThrow(() -> VasaException.notFound("there is no host " + id));
  }

  public Optional<PlainHost> findHost(UUID id) {
    return records.host(id);
  }

  public List<HostGroup> groups() {
    return records.groups();
  }

  /// @throws VasaException (NotFound) if there is none
  public HostGroup requireGroup(UUID id) {
    return records
        .group(id)
        .orElseThrow(() -> VasaException.notFound("there is no host group " + id));
  }

  /// Makes a host.
  ///
  /// @param initiators iSCSI names, at least one
  /// @throws RefusedException (IN_USE) if another host has an initiator; (INVALID) if a name is
  ///   none
  /// @throws NameTakenException if another host has the name
  public PlainHost createHost(String name, Set<String> initiators) {
    return alone(
        () -> {
          PlainHost host = checked(new PlainHost(UUID.randomUUID(), name, initiators));
          records.put(host);
          note(ChangeKind.NEW, "PlainHostNew", host);
          return host;
        });
  }

  /// Changes a host. Exports for it follow: on return each new initiator reaches them, and no
  /// command runs of one that was taken away.
  ///
  /// @param name empty to leave it
  /// @param initiators of those before; at least one
  /// @throws VasaException (NotFound) if there is none
  /// @throws RefusedException (IN_USE) if another host has an initiator, or a number of an export
  ///   names another volume for a new one; (RESTING) if the number rests for it; (INVALID) if a
  ///   name is none or there are too many. Nothing has changed
  /// @throws NameTakenException if another host has the name
  public PlainHost changeHost(
      UUID id, Optional<String> name, Function<Set<String>, Set<String>> initiators) {
    return alone(
        () -> {
          PlainHost before = requireHost(id);
          PlainHost next =
              checked(
                  new PlainHost(
                      id, name.orElse(before.name()), initiators.apply(before.initiators())));
          Audiences after = Audiences.of(records).with(next);
          after.check(luns);
          records.put(next);
          after.bringInLine(luns);
          if (!next.equals(before)) {
            note(ChangeKind.UPDATE, "PlainHostUpdate", next);
          }
          return next;
        });
  }

  private void note(ChangeKind kind, String message, PlainHost host) {
    note(
        kind,
        new NewChange.Subject(ObjectType.HOST, host.id().toString(), message),
        Map.of("host", text(host), "initiators", String.join(", ", host.initiators())));
  }

  private void note(ChangeKind kind, HostGroup group, String message) {
    List<String> members = group.hosts().stream().map(this::hostText).toList();
    note(
        kind,
        new NewChange.Subject(ObjectType.HOST_GROUP, group.id().toString(), message),
        Map.of(
            "group",
            text(group),
            "hosts",
            members.isEmpty() ? "no host" : String.join(", ", members)));
  }

  private void note(ChangeKind kind, NewChange.Subject subject, Map<String, String> parameters) {
    log.note(NewChange.of(ChangeTopic.ACCESS, kind, subject, parameters));
  }

  /// A host as a sentence names it; its id alone if it is unknown.
  String hostText(UUID id) {
    return records.host(id).map(PlainHosts::text).orElse(id.toString());
  }

  /// A group as a sentence names it; its id alone if it is unknown.
  String groupText(UUID id) {
    return records.group(id).map(PlainHosts::text).orElse(id.toString());
  }

  private static String text(PlainHost host) {
    return "%s (%s)".formatted(host.name(), host.id());
  }

  private static String text(HostGroup group) {
    return "%s (%s)".formatted(group.name(), group.id());
  }

  private PlainHost checked(PlainHost host) {
    SortedSet<String> names = InitiatorNames.all(host.initiators());
    if (names.isEmpty()) {
      throw new RefusedException(
          Reason.INVALID, "expected at least one initiator of a host, got none");
    }
    for (PlainHost other : records.hosts()) {
      if (other.id().equals(host.id())) {
        continue;
      }
      if (other.name().equals(host.name())) {
        throw new NameTakenException("host", host.name(), other.id());
      }
      for (String initiator : names) {
        if (other.initiators().contains(initiator)) {
          throw new RefusedException(
              Reason.IN_USE,
              "initiator %s belongs to host %s (%s)"
                  .formatted(initiator, other.name(), other.id()));
        }
      }
    }
    return new PlainHost(host.id(), host.name(), names);
  }

  /// Forgets a host.
  ///
  /// @throws VasaException (NotFound) if there is none
  /// @throws RefusedException (IN_USE) if a group or an export names it
  public void deleteHost(UUID id) {
    alone(
        () -> {
          PlainHost host = requireHost(id);
          for (HostGroup group : records.groups()) {
            if (group.hosts().contains(id)) {
              throw new RefusedException(
                  Reason.IN_USE,
                  "expected a host that no group has, but it is in %s (%s)"
                      .formatted(group.name(), group.id()));
            }
          }
          requireUnnamed("host", audience -> audience.hosts().contains(id));
          records.remove(host);
          note(ChangeKind.DELETE, "PlainHostDelete", host);
          return host;
        });
  }

  private void requireUnnamed(String what, Function<ExportAudience, Boolean> names) {
    for (Map.Entry<VolumeId, ExportAudience> entry : records.audiences().entrySet()) {
      if (names.apply(entry.getValue())) {
        throw new RefusedException(
            Reason.IN_USE,
            "expected a %s without exports, but volume %s is exported to it"
                .formatted(what, entry.getKey()));
      }
    }
  }

  /// Makes a group.
  ///
  /// @param hosts ids of plain hosts
  /// @throws VasaException (NotFound) if a host is unknown
  /// @throws NameTakenException if another group has the name
  public HostGroup createGroup(String name, Set<UUID> hosts) {
    return alone(
        () -> {
          HostGroup group = checked(new HostGroup(UUID.randomUUID(), name, hosts));
          records.put(group);
          note(ChangeKind.NEW, group, "HostGroupNew");
          return group;
        });
  }

  /// Changes a group; exports for it follow, as in [#changeHost].
  ///
  /// @throws VasaException (NotFound) if the group or a host is unknown
  /// @throws RefusedException as in [#changeHost]
  /// @throws NameTakenException if another group has the name
  public HostGroup changeGroup(
      UUID id, Optional<String> name, Function<Set<UUID>, Set<UUID>> hosts) {
    return alone(
        () -> {
          HostGroup before = requireGroup(id);
          HostGroup next =
              checked(new HostGroup(id, name.orElse(before.name()), hosts.apply(before.hosts())));
          Audiences after = Audiences.of(records).with(next);
          after.check(luns);
          records.put(next);
          after.bringInLine(luns);
          if (!next.equals(before)) {
            note(ChangeKind.UPDATE, next, "HostGroupUpdate");
          }
          return next;
        });
  }

  private HostGroup checked(HostGroup group) {
    group.hosts().forEach(this::requireHost);
    for (HostGroup other : records.groups()) {
      if (!other.id().equals(group.id()) && other.name().equals(group.name())) {
        throw new NameTakenException("host group", group.name(), other.id());
      }
    }
    return group;
  }

  /// Forgets a group; its hosts stay.
  ///
  /// @throws VasaException (NotFound) if there is none
  /// @throws RefusedException (IN_USE) if an export names it
  public void deleteGroup(UUID id) {
    alone(
        () -> {
          HostGroup group = requireGroup(id);
          requireUnnamed("host group", audience -> audience.groups().contains(id));
          records.remove(group);
          note(ChangeKind.DELETE, group, "HostGroupDelete");
          return group;
        });
  }

  /// The audience of an export as it was named.
  public ExportAudience audienceOf(Export export) {
    return records
        .audience(export.volume())
        .orElseGet(() -> ExportAudience.of(export.initiators()));
  }

  /// The volumes of exports that name a host, itself or by a group.
  public Set<VolumeId> exportedTo(UUID host) {
    Set<UUID> groups = new TreeSet<>();
    records.groups().stream()
        .filter(it -> it.hosts().contains(host))
        .forEach(it -> groups.add(it.id()));
    return records.audiences().entrySet().stream()
        .filter(entry -> isFor(entry.getValue(), host, groups))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static boolean isFor(ExportAudience audience, UUID host, Set<UUID> groups) {
    return audience.hosts().contains(host) || audience.groups().stream().anyMatch(groups::contains);
  }

  /// Makes an export for an audience, by `making` with all its initiators.
  ///
  /// The audience is written first. After a crash it is there without an export, and [#agree]
  /// removes it.
  ///
  /// @throws VasaException (NotFound) if a host or group is unknown
  Export export(VolumeId volume, ExportAudience audience, Function<Set<String>, Export> making) {
    return alone(
        () -> {
          audience.hosts().forEach(this::requireHost);
          audience.groups().forEach(this::requireGroup);
          Set<String> initiators = Audiences.of(records).initiatorsOf(audience);
          Optional<Export> before = luns.exportOf(volume);
          if (before.isPresent()) {
            requireSame(before.get(), audience);
            return making.apply(initiators);
          }
          records.put(volume, audience);
          try {
            return making.apply(initiators);
          } catch (RefusedException e) {
            records.remove(volume);
            throw e;
          }
        });
  }

  private void requireSame(Export before, ExportAudience audience) {
    if (!audienceOf(before).equals(audience)) {
      throw new RefusedException(
          Reason.IN_USE, "volume %s is exported already".formatted(before.volume()));
    }
  }

  /// Changes the audience of an export. On return each new initiator reaches the volume, and no
  /// command runs of one that was taken away.
  ///
  /// @throws RefusedException (UNKNOWN) if the volume is not exported; else as in [#changeHost]
  Export change(VolumeId volume, Function<ExportAudience, ExportAudience> change) {
    return alone(
        () -> {
          Export export = requireExport(volume);
          ExportAudience next = change.apply(audienceOf(export));
          next.hosts().forEach(this::requireHost);
          next.groups().forEach(this::requireGroup);
          Audiences after = Audiences.of(records).with(volume, next);
          after.check(luns);
          records.put(volume, next);
          after.bringInLine(luns);
          return requireExport(volume);
        });
  }

  private Export requireExport(VolumeId volume) {
    return luns.exportOf(volume)
        .orElseThrow(
            () ->
                new RefusedException(
                    Reason.UNKNOWN, "volume %s is not exported".formatted(volume)));
  }

  /// The hosts by which an initiator reaches an export, itself not counted.
  Optional<PlainHost> hostOf(ExportAudience audience, String initiator) {
    Collection<PlainHost> hosts = Audiences.of(records).hostsOf(audience);
    return hosts.stream().filter(it -> it.initiators().contains(initiator)).findFirst();
  }

  /// Ends an export by `ending`, and its audience with it. After a crash in between the audience is
  /// there without an export, as in [#export].
  <T> T end(VolumeId volume, Supplier<T> ending) {
    return alone(
        () -> {
          T ended = ending.get();
          records.remove(volume);
          return ended;
        });
  }

  /// Brings exports in line with the records, after a crash between the two.
  public void agree() {
    alone(
        () -> {
          Audiences all = Audiences.of(records);
          for (VolumeId volume : all.volumes()) {
            if (luns.exportOf(volume).isEmpty()) {
              logger.atWarn().addKeyValue("volume", volume).log("an audience had no export");
              records.remove(volume);
            }
          }
          all.bringInLine(luns);
          return all;
        });
  }

  /// The result of a change. Nobody else changes a host, a group or an audience meanwhile. The
  /// change takes no lock of a volume.
  public <T> T alone(Supplier<T> change) {
    changing.lock();
    try {
      return change.get();
    } finally {
      changing.unlock();
    }
  }

  /// Makes a change without a result, as in [#alone].
  public void doAlone(Runnable change) {
    alone(
        () -> {
          change.run();
          return change;
        });
  }
}
