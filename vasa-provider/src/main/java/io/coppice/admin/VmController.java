package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.volume.Snapshots;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.vasa.volume.VolumeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
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

  /// @param name that of its config vVol
  /// @param container that of its config vVol
  /// @param used bytes stored for its vVols, shared or not, and set aside for them
  record Vm(
      String id,
      @Nullable String name,
      UUID container,
      List<UUID> vvols,
      long provisioned,
      long used) {}

  @GetMapping("/vms")
  Page<Vm> list(
      @ParameterObject ListQuery query, @RequestParam(required = false) @Nullable UUID container) {
    List<Map.Entry<String, List<VirtualVolume>>> machines =
        machines().entrySet().stream()
            .filter(
                machine ->
                    container == null || main(machine.getValue()).container().equals(container))
            .toList();
    return query.page(
        machines, Map.Entry::getKey, machine -> view(machine.getKey(), machine.getValue()));
  }

  private Map<String, List<VirtualVolume>> machines() {
    Map<String, List<VirtualVolume>> machines = new TreeMap<>();
    for (VirtualVolume volume : volumes.list()) {
      if (VvolController.isVvol(volume)) {
        VmId.of(volume)
            .ifPresent(vm -> machines.computeIfAbsent(vm, _ -> new ArrayList<>()).add(volume));
      }
    }
    return machines;
  }

  private List<VirtualVolume> require(String id) {
    List<VirtualVolume> own = VmId.vvols(volumes, id);
    if (own.isEmpty()) {
      throw Rejection.notFound("virtual machine", id);
    }
    return own;
  }

  @GetMapping("/vms/{id}")
  Vm get(@PathVariable String id) {
    return view(id, require(id));
  }

  @GetMapping("/vms/{id}/snapshots")
  Page<SnapshotViews.Snapshot> snapshots(
      @PathVariable String id, @ParameterObject ListQuery query) {
    return snapshotViews.page(
        query, require(id).stream().flatMap(volume -> snapshots.of(volume.id()).stream()).toList());
  }

  /// Swap and memory are of no use at another time than their own.
  @PostMapping("/vms/{id}/snapshots")
  @AllowedTo(Role.VM_ADMIN)
  ResponseEntity<Jobs.Job> snapshot(
      @PathVariable String id,
      @RequestBody VvolController.Named wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    String name = VolumeController.checkedName(wanted.name());
    List<VolumeId> group =
        require(id).stream()
            .filter(one -> one.type() != VolumeType.SWAP && one.type() != VolumeType.MEMORY)
            .map(VirtualVolume::id)
            .toList();
    if (group.isEmpty()) {
      throw Rejection.conflict(
          "nothing-to-snapshot",
          id,
          "expected a virtual machine with config or data vVols, but %s has none".formatted(id));
    }
    return Jobs.answer(snapshots.takeGroup(group, Map.of(VmId.NAME_KEY, name)), wait);
  }

  private static VirtualVolume main(List<VirtualVolume> own) {
    return own.stream()
        .filter(volume -> volume.type() == VolumeType.CONFIG)
        .findFirst()
        .orElse(own.getFirst());
  }

  private Vm view(String id, List<VirtualVolume> own) {
    VirtualVolume main = main(own);
    long used = 0;
    for (VirtualVolume volume : own) {
      VolumeSpace space = views.space(volume.id());
      used += space.mapped() + space.reserved();
    }
    return new Vm(
        id,
        main.metadata().get(VmId.NAME_KEY),
        main.container(),
        own.stream().map(volume -> volume.id().value()).toList(),
        own.stream().mapToLong(VirtualVolume::sizeInBytes).sum(),
        used);
  }
}
