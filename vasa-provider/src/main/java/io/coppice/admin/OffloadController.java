package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.HostId;
import io.coppice.scsi.LunDirectory;
import io.coppice.scsi.OffloadLedger;
import io.coppice.scsi.Offloads;
import io.coppice.vasa.volume.MachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.vasa.volume.VolumeType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// What hosts let the array do instead of moving the data themselves: by volume and initiator, and
/// in sums.
@RestController
final class OffloadController {

  private final Offloads offloads;
  private final VirtualVolumes volumes;
  private final LunDirectory luns;

  OffloadController(Offloads offloads, VirtualVolumes volumes, LunDirectory luns) {
    this.offloads = offloads;
    this.volumes = volumes;
    this.luns = luns;
  }

  /// @param name of the vVol; null if it has none
  /// @param vm the virtual machine that it was stored for; null if for none
  /// @param vmName that of the virtual machine's config vVol
  /// @param host that has the initiator; null if none has
  record Offload(
      UUID vvol,
      @Nullable String name,
      @Nullable String vm,
      @Nullable String vmName,
      @Nullable String host,
      String initiator,
      OffloadCounts counts) {}

  /// @param vm null: of all vVols that were stored for none
  record VmOffloads(@Nullable String vm, @Nullable String name, OffloadCounts counts) {}

  /// @param host null: of all initiators that no host has
  /// @param initiators those that let the array do something
  record HostOffloads(@Nullable String host, List<String> initiators, OffloadCounts counts) {}

  @GetMapping("/offloads")
  Page<Offload> list(
      @ParameterObject ListQuery query,
      @RequestParam(required = false) @Nullable UUID vvol,
      @RequestParam(required = false) @Nullable String vm,
      @RequestParam(required = false) @Nullable String host) {
    return query.page(
        counted().stream()
            .filter(one -> vvol == null || one.vvol().equals(vvol))
            .filter(one -> vm == null || vm.equals(one.vm()))
            .filter(one -> host == null || host.equals(one.host()))
            .toList(),
        one -> one.vvol() + "/" + one.initiator(),
        Function.identity());
  }

  @GetMapping("/offloads/vms")
  Page<VmOffloads> byVm(@ParameterObject ListQuery query) {
    Map<String, List<Offload>> machines = grouped(Offload::vm);
    return query.page(
        machines.entrySet(),
        OffloadController::key,
        machine ->
            new VmOffloads(
                machine.getValue().getFirst().vm(),
                machine.getValue().getFirst().vmName(),
                sum(machine.getValue())));
  }

  @GetMapping("/offloads/hosts")
  Page<HostOffloads> byHost(@ParameterObject ListQuery query) {
    Map<String, List<Offload>> hosts = grouped(Offload::host);
    return query.page(
        hosts.entrySet(),
        OffloadController::key,
        host ->
            new HostOffloads(
                host.getValue().getFirst().host(),
                List.copyOf(
                    new TreeSet<>(host.getValue().stream().map(Offload::initiator).toList())),
                sum(host.getValue())));
  }

  /// By names, and under the empty one what has none.
  private Map<String, List<Offload>> grouped(Function<Offload, @Nullable String> name) {
    Map<String, List<Offload>> groups = new TreeMap<>();
    for (Offload one : counted()) {
      String group = name.apply(one);
      groups.computeIfAbsent(group == null ? "" : group, _ -> new ArrayList<>()).add(one);
    }
    return groups;
  }

  /// Of a group, after nothing at all: what has no name comes first.
  private static String key(Map.Entry<String, ?> group) {
    return "/" + group.getKey();
  }

  private static OffloadCounts sum(List<Offload> parts) {
    return OffloadCounts.sum(parts.stream().map(Offload::counts).toList());
  }

  private List<Offload> counted() {
    Map<VolumeId, OffloadLedger> ledgers = offloads.byVolume();
    Names names = names(ledgers.keySet());
    List<Offload> all = new ArrayList<>();
    ledgers.forEach(
        (volume, ledger) ->
            ledger.entries().forEach((who, kinds) -> all.add(names.of(volume, who, kinds))));
    return all;
  }

  /// Of the volumes that something was counted for; others are not looked at.
  private Names names(Set<VolumeId> counted) {
    Map<VolumeId, VirtualVolume> byId = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (VirtualVolume volume : volumes.find(counted)) {
      byId.put(volume.id(), volume);
      VmId.of(volume).ifPresent(ids::add);
    }
    Map<String, String> machines = new HashMap<>();
    for (MachineVolume volume : volumes.ofMachines(ids)) {
      String name = volume.name();
      if (volume.type() == VolumeType.CONFIG && name != null) {
        machines.put(volume.machine(), name);
      }
    }
    Map<String, HostId> hosts = new HashMap<>();
    luns.hosts().forEach((host, initiators) -> initiators.forEach(i -> hosts.put(i, host)));
    return new Names(byId, machines, hosts);
  }

  /// What the control plane knows of volumes and initiators now.
  private record Names(
      Map<VolumeId, VirtualVolume> volumes,
      Map<String, String> machines,
      Map<String, HostId> hosts) {

    Offload of(
        VolumeId id, String initiator, Map<OffloadLedger.Kind, OffloadLedger.Entry> entries) {
      Optional<VirtualVolume> volume = Optional.ofNullable(volumes.get(id));
      Optional<String> vm = volume.flatMap(VmId::of);
      return new Offload(
          id.value(),
          volume.map(known -> known.metadata().get(VmId.NAME_KEY)).orElse(null),
          vm.orElse(null),
          vm.map(machines::get).orElse(null),
          Optional.ofNullable(hosts.get(initiator)).map(HostId::value).orElse(null),
          initiator,
          OffloadCounts.of(entries));
    }
  }
}
