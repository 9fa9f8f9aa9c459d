package io.coppice.admin.iscsi;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.iscsi.HostOffloads;
import io.coppice.api.iscsi.Offload;
import io.coppice.api.iscsi.OffloadCounts;
import io.coppice.api.iscsi.OffloadTotal;
import io.coppice.api.iscsi.VmOffloads;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.statistics.OffloadStatistics;
import io.coppice.vasa.statistics.OffloadStatistics.Counted;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Work that hosts leave to the array instead of moving the data themselves: by volume and
/// initiator, and in sums.
@RestController
final class OffloadController {

  private static final Orders<Counted> ORDERS =
      Orders.<Counted>usually("vvol", one -> one.volume() + "/" + one.initiator())
          .text("vvol", Counted::volume)
          .text("initiator", Counted::initiator)
          .number("commands", one -> total(one).commands())
          .number("bytesSpared", one -> total(one).bytesSpared());

  private static final Orders<VmOffloads> VM_ORDERS =
      Orders.<VmOffloads>usually("vm", one -> Objects.requireNonNullElse(one.vm(), ""))
          .text("vm", VmOffloads::vm)
          .text("name", VmOffloads::name)
          .number("commands", one -> one.counts().total().commands())
          .number("bytesSpared", one -> one.counts().total().bytesSpared());

  private static final Orders<HostOffloads> HOST_ORDERS =
      Orders.<HostOffloads>usually("host", one -> Objects.requireNonNullElse(one.host(), ""))
          .text("host", HostOffloads::host)
          .number("commands", one -> one.counts().total().commands())
          .number("bytesSpared", one -> one.counts().total().bytesSpared());

  private final OffloadStatistics offloads;
  private final ReachedNames reached;
  private final KnownHosts known;

  OffloadController(OffloadStatistics offloads, VirtualVolumes volumes, KnownHosts known) {
    this.offloads = offloads;
    this.reached = new ReachedNames(volumes);
    this.known = known;
  }

  @GetMapping("/offloads")
  Page<Offload> list(
      @ParameterObject @SortedBy({"vvol", "initiator", "commands", "bytesSpared", "name"})
          ListQuery query,
      @RequestParam(required = false) @Nullable UUID vvol,
      @RequestParam(required = false) @Nullable String vm,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable String host) {
    List<Counted> all = offloads.list();
    Map<String, String> hosts = hosts();
    Map<VolumeId, String> machines = vm == null ? Map.of() : reached.machines(volumesOf(all));
    Map<VolumeId, String> names =
        name == null && !query.isSortedBy("name") ? Map.of() : reached.of(volumesOf(all));
    return query.pageAtOnce(
        all.stream()
            .filter(one -> vvol == null || one.volume().value().equals(vvol))
            .filter(one -> vm == null || vm.equals(machines.get(one.volume())))
            .filter(one -> name == null || name.equals(names.get(one.volume())))
            .filter(one -> host == null || host.equals(hosts.get(one.initiator())))
            .toList(),
        ORDERS.text("name", one -> names.get(one.volume())),
        shown -> views(shown, hosts));
  }

  @GetMapping("/offloads/vms")
  Page<VmOffloads> byVm(
      @ParameterObject @SortedBy({"vm", "name", "commands", "bytesSpared"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    List<Counted> all = offloads.list();
    Map<VolumeId, String> machines = reached.machines(volumesOf(all));
    Map<String, String> names = reached.ofMachines(machines.values());
    return query.page(
        grouped(all, one -> machines.get(one.volume())).stream()
            .map(group -> new VmOffloads(id(group), names.get(group.getKey()), sum(group)))
            .filter(one -> name == null || name.equals(one.name()))
            .toList(),
        VM_ORDERS,
        one -> one);
  }

  @GetMapping("/offloads/hosts")
  Page<HostOffloads> byHost(
      @ParameterObject @SortedBy({"host", "commands", "bytesSpared"}) ListQuery query) {
    Map<String, String> hosts = hosts();
    return query.page(
        grouped(offloads.list(), one -> hosts.get(one.initiator())).stream()
            .map(group -> new HostOffloads(id(group), initiators(group), sum(group)))
            .toList(),
        HOST_ORDERS,
        one -> one);
  }

  /// Needs no database.
  @GetMapping("/offloads/total")
  OffloadTotal total() {
    return new OffloadTotal(offloads.since(), OffloadViews.of(offloads.inAll()));
  }

  private static List<String> initiators(Map.Entry<String, List<Counted>> group) {
    return List.copyOf(new TreeSet<>(group.getValue().stream().map(Counted::initiator).toList()));
  }

  /// By names, and under the empty one what has none.
  private static Collection<Map.Entry<String, List<Counted>>> grouped(
      List<Counted> all, Function<Counted, @Nullable String> name) {
    Map<String, List<Counted>> groups = new TreeMap<>();
    for (Counted one : all) {
      groups
          .computeIfAbsent(Objects.requireNonNullElse(name.apply(one), ""), _ -> new ArrayList<>())
          .add(one);
    }
    return groups.entrySet();
  }

  private static @Nullable String id(Map.Entry<String, ?> group) {
    return group.getKey().isEmpty() ? null : group.getKey();
  }

  private static OffloadCounts sum(Map.Entry<String, List<Counted>> group) {
    return OffloadViews.of(
        OffloadViews.sum(group.getValue().stream().map(Counted::kinds).toList()));
  }

  private static OffloadLedger.Entry total(Counted one) {
    return OffloadViews.total(one.kinds());
  }

  /// Views in the given order, with current facts of volumes and initiators.
  private List<Offload> views(List<Counted> shown, Map<String, String> hosts) {
    Map<VolumeId, String> names = reached.of(volumesOf(shown));
    Map<VolumeId, String> machines = reached.machines(volumesOf(shown));
    Map<String, String> machineNames = reached.ofMachines(machines.values());
    return shown.stream()
        .map(
            one -> {
              String vm = machines.get(one.volume());
              return new Offload(
                  one.volume().value(),
                  names.get(one.volume()),
                  vm,
                  vm == null ? null : machineNames.get(vm),
                  hosts.get(one.initiator()),
                  one.initiator(),
                  OffloadViews.of(one.kinds()));
            })
        .toList();
  }

  private static Set<VolumeId> volumesOf(List<Counted> counted) {
    return counted.stream().map(Counted::volume).collect(Collectors.toSet());
  }

  /// The hosts that have initiators, by initiator.
  private Map<String, String> hosts() {
    Map<String, String> hosts = new HashMap<>();
    known
        .initiators()
        .forEach((host, initiators) -> initiators.forEach(one -> hosts.put(one, host.value())));
    return hosts;
  }
}
