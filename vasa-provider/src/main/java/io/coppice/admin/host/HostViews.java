package io.coppice.admin.host;

import io.coppice.admin.IscsiPortals;
import io.coppice.api.host.Host;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.HostGroup;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/// The form of hosts in JSON: those of vCenter and those that administrators made.
@Component
final class HostViews {

  private static final String VCENTER = "vcenter";
  private static final String ADMIN = "admin";

  /// Who may have brought a host.
  static final List<String> MANAGERS = List.of(VCENTER, ADMIN);

  private final KnownHosts known;
  private final PlainHosts plain;
  private final Bindings bindings;
  private final VasaSessions sessions;
  private final IscsiPortals portals;
  private final VirtualVolumes volumes;
  private final Exports exports;

  HostViews(
      KnownHosts known,
      PlainHosts plain,
      Bindings bindings,
      VasaSessions sessions,
      IscsiPortals portals,
      VirtualVolumes volumes,
      Exports exports) {
    this.volumes = volumes;
    this.exports = exports;
    this.known = known;
    this.plain = plain;
    this.bindings = bindings;
    this.sessions = sessions;
    this.portals = portals;
  }

  /// A host before it is looked at closely.
  sealed interface Found {

    String id();

    String managedBy();

    Collection<String> initiators();

    /// A host that declared itself.
    record OfVcenter(HostId host, Collection<String> initiators) implements Found {
      @Override
      public String id() {
        return host.value();
      }

      @Override
      public String managedBy() {
        return VCENTER;
      }
    }

    /// A host that an administrator made.
    record OfAdmin(PlainHost host) implements Found {
      @Override
      public String id() {
        return host.id().toString();
      }

      @Override
      public String managedBy() {
        return ADMIN;
      }

      @Override
      public Collection<String> initiators() {
        return host.initiators();
      }
    }
  }

  List<Found> all() {
    List<Found> all = new ArrayList<>();
    known.initiators().forEach((host, names) -> all.add(new Found.OfVcenter(host, names)));
    plain.hosts().forEach(host -> all.add(new Found.OfAdmin(host)));
    return all;
  }

  Host of(PlainHost host) {
    return of(List.<Found>of(new Found.OfAdmin(host))).getFirst();
  }

  /// The hosts, with one look at sessions, bindings, exports and groups for all. Bindings and
  /// exports of volumes that the caller may not see do not count.
  List<Host> of(List<Found> some) {
    Map<HostId, Instant> seen = sessions.hostsLastSeen();
    Set<VolumeId> exported =
        exports.list().stream().map(Export::volume).collect(Collectors.toSet());
    Map<HostId, Long> bound = bound();
    Map<String, List<IscsiSession>> open =
        portals.sessions().stream().collect(Collectors.groupingBy(IscsiSession::initiator));
    Map<UUID, List<UUID>> groups = new TreeMap<>();
    for (HostGroup group : plain.groups()) {
      group
          .hosts()
          .forEach(id -> groups.computeIfAbsent(id, _ -> new ArrayList<>()).add(group.id()));
    }
    return some.stream()
        .map(
            found ->
                switch (found) {
                  case Found.OfVcenter(HostId host, Collection<String> names) ->
                      new Host(
                          host.value(),
                          VCENTER,
                          null,
                          names.stream().sorted().toList(),
                          chap(names),
                          List.of(),
                          connections(names, open),
                          seen.get(host),
                          bound.getOrDefault(host, 0L),
                          0);
                  case Found.OfAdmin(PlainHost host) ->
                      new Host(
                          host.id().toString(),
                          ADMIN,
                          host.name(),
                          List.copyOf(host.initiators()),
                          chap(host.initiators()),
                          groups.getOrDefault(host.id(), List.of()),
                          connections(host.initiators(), open),
                          null,
                          0,
                          exportsFor(host, exported));
                })
        .toList();
  }

  private long exportsFor(PlainHost host, Set<VolumeId> seen) {
    return plain.exportedTo(host.id()).stream().filter(seen::contains).count();
  }

  private Map<HostId, Long> bound() {
    List<Binding> all = bindings.list();
    Set<VolumeId> seen = volumes.seen(all.stream().map(Binding::volume).toList());
    return all.stream()
        .filter(one -> seen.contains(one.volume()))
        .collect(Collectors.groupingBy(Binding::host, Collectors.counting()));
  }

  private List<String> chap(Collection<String> initiators) {
    return initiators.stream().filter(known::hasChapSecret).sorted().toList();
  }

  private static List<IscsiSession> connections(
      Collection<String> initiators, Map<String, List<IscsiSession>> open) {
    return initiators.stream()
        .sorted()
        .flatMap(name -> open.getOrDefault(name, List.of()).stream())
        .toList();
  }
}
