package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import io.coppice.api.volume.Named;
import io.coppice.api.volume.Snapshot;
import io.coppice.api.volume.Vm;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.volume.ListedMachine;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Virtual machines: the vVols that hosts stored with one `VMW_VmID`.
@RestController
final class VmController {

  private static final Orders<Vm> ORDERS =
      Orders.usually("id", Vm::id)
          .text("id", Vm::id)
          .text("name", Vm::name)
          .number("provisioned", Vm::provisioned);

  private static final Orders<ListedMachine> LISTED =
      Orders.usually("id", ListedMachine::id)
          .text("id", ListedMachine::key)
          .text("name", ListedMachine::key)
          .with("provisioned", SortKind.NUMBER, ListedMachine::key);

  private final VirtualVolumes volumes;
  private final Snapshots snapshots;
  private final VolumeViews views;
  private final SnapshotViews snapshotViews;

  VmController(
      VirtualVolumes volumes, Snapshots snapshots, VolumeViews views, SnapshotViews snapshotViews) {
    this.volumes = volumes;
    this.snapshots = snapshots;
    this.views = views;
    this.snapshotViews = snapshotViews;
  }

  @GetMapping("/vms")
  Page<Vm> list(
      @ParameterObject @SortedBy({"id", "name", "provisioned"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String name) {
    if (name != null) {
      return query.page(named(name, container), ORDERS, machine -> machine);
    }
    return query.page(
        new ListQuery.Rows<>(
            (order, limit) -> volumes.machines(container, order, limit),
            () -> volumes.countMachines(container),
            LISTED),
        part -> views(part.stream().map(ListedMachine::id).toList()));
  }

  private List<Vm> named(String name, @Nullable UUID container) {
    return views(volumes.machinesNamed(name)).stream()
        .filter(machine -> name.equals(machine.name()))
        .filter(machine -> container == null || container.equals(machine.container()))
        .toList();
  }

  /// Views in the given order, without machines whose last vVol goes meanwhile.
  private List<Vm> views(List<String> machines) {
    Map<String, List<VirtualMachineVolume>> own =
        volumes.ofMachines(machines).stream()
            .collect(Collectors.groupingBy(VirtualMachineVolume::machine));
    return machines.stream()
        .map(machine -> Map.entry(machine, own.getOrDefault(machine, List.of())))
        .filter(machine -> !machine.getValue().isEmpty())
        .map(machine -> view(machine.getKey(), machine.getValue()))
        .toList();
  }

  private List<VirtualVolume> require(String id) {
    List<VirtualVolume> own = VmId.vvols(volumes, id);
    if (own.isEmpty()) {
      throw RequestRejectedException.notFound("virtual machine", id);
    }
    return own;
  }

  @GetMapping("/vms/{id}")
  Vm get(@PathVariable String id) {
    return views(List.of(id)).stream()
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("virtual machine", id));
  }

  @GetMapping("/vms/{id}/snapshots")
  Page<Snapshot> snapshots(
      @PathVariable String id,
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return snapshotViews.page(
        query,
        SnapshotChoice.of(
            require(id).stream().map(VirtualVolume::id).collect(Collectors.toSet()), name));
  }

  /// Takes a snapshot of a machine without swap and memory, which are of no later use.
  @PostMapping("/vms/{id}/snapshots")
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> snapshot(
      @PathVariable String id,
      @RequestBody Named wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    Map<String, String> metadata =
        VolumeNames.metadata(NameField.checked(wanted.name()), wanted.labels());
    List<VolumeId> group = VmId.lasting(require(id)).stream().map(VirtualVolume::id).toList();
    if (group.isEmpty()) {
      throw RequestRejectedException.conflict(
          "nothing-to-snapshot",
          id,
          "expected a virtual machine with config or data vVols, but %s has none".formatted(id));
    }
    return Jobs.answer(snapshots.takeGroup(group, metadata), wait);
  }

  private Vm view(String id, List<VirtualMachineVolume> own) {
    VirtualMachineVolume main = VmId.main(own);
    long used = 0;
    for (VirtualMachineVolume volume : own) {
      VolumeSpace space = views.space(volume.id());
      used += space.mapped() + space.reserved();
    }
    return new Vm(
        id,
        main.name(),
        main.container(),
        own.stream().map(volume -> volume.id().value()).toList(),
        own.stream().mapToLong(VirtualMachineVolume::sizeInBytes).sum(),
        used);
  }
}
