package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import io.coppice.api.timeline.ClonedDisk;
import io.coppice.api.timeline.ClonedMachine;
import io.coppice.api.timeline.MachineRevert;
import io.coppice.api.timeline.MomentClone;
import io.coppice.api.timeline.MomentRevert;
import io.coppice.api.timeline.TimelineView;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.copy.MomentClones;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Reverts;
import io.coppice.vasa.volume.timeline.Rewinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Timelines of volumes and virtual machines, and what is made of their moments.
@RestController
final class TimelineController {

  private static final String MOMENT = "moment";

  private final VirtualVolumes volumes;
  private final TimelineViews views;
  private final Rewinds rewinds;
  private final Reverts reverts;
  private final MomentClones clones;
  private final VolumeNames names;

  TimelineController(
      VirtualVolumes volumes,
      TimelineViews views,
      Rewinds rewinds,
      Reverts reverts,
      MomentClones clones,
      VolumeNames names) {
    this.volumes = volumes;
    this.views = views;
    this.rewinds = rewinds;
    this.reverts = reverts;
    this.clones = clones;
    this.names = names;
  }

  /// Of any volume that is no snapshot, a vVol too.
  @GetMapping("/volumes/{id}/timeline")
  @WithinContainers
  TimelineView ofVolume(@PathVariable UUID id, @ParameterObject TimelineQuery query) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (volume.snapshot()) {
      throw RequestRejectedException.notFound("volume that is no snapshot,", id);
    }
    return views.of(List.of(volume.id()), query);
  }

  @GetMapping("/vms/{id}/timeline")
  TimelineView ofMachine(@PathVariable String id, @ParameterObject TimelineQuery query) {
    return views.of(disks(id).stream().map(VirtualVolume::id).toList(), query);
  }

  @PostMapping("/volumes/{id}/revert")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> revert(
      @PathVariable UUID id,
      @RequestBody MomentRevert wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    Instant moment = RequestRejectedException.requireField(MOMENT, wanted.moment());
    VolumeId volume = volumes.requireReady(new VolumeId(id)).id();
    return Jobs.answer(rewinds.revert(List.of(volume), moment), wait);
  }

  /// All disks of a machine together, to a moment of its timeline or to a snapshot of it.
  @PostMapping("/vms/{id}/revert")
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> revertMachine(
      @PathVariable String id,
      @RequestBody MachineRevert wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    if (wanted.moment() != null && wanted.snapshot() != null) {
      throw RequestRejectedException.field(
          "snapshot", "expected either 'moment' or 'snapshot', got both");
    }
    List<VolumeId> disks = someDisks(id).stream().map(VirtualVolume::id).toList();
    VasaTask done =
        wanted.snapshot() == null
            ? rewinds.revert(disks, RequestRejectedException.requireField(MOMENT, wanted.moment()))
            : reverts.revertTogether(disks, new VolumeId(wanted.snapshot()));
    return Jobs.answer(done, wait);
  }

  @PostMapping("/volumes/{id}/clone")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> clone(
      @PathVariable UUID id,
      @RequestBody MomentClone wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    Instant moment = RequestRejectedException.requireField(MOMENT, wanted.moment());
    String name = NameField.checked(wanted.name());
    VirtualVolume source = volumes.requireReady(new VolumeId(id));
    MomentClones.Wanted one =
        new MomentClones.Wanted(source.id(), VolumeNames.metadata(name, wanted.labels()));
    return Jobs.answer(
        names.claim(source.container(), name, () -> clones.clone(one, moment)), wait);
  }

  /// All disks of a machine together, as plain volumes.
  @PostMapping("/vms/{id}/clone")
  @RequiredRole(Role.VM_ADMIN)
  ClonedMachine cloneMachine(@PathVariable String id, @RequestBody MomentClone wanted) {
    Instant moment = RequestRejectedException.requireField(MOMENT, wanted.moment());
    String name = NameField.checked(wanted.name());
    List<VirtualVolume> disks = someDisks(id);
    List<String> own = new ArrayList<>();
    List<MomentClones.Wanted> all = new ArrayList<>();
    for (VirtualVolume disk : disks) {
      own.add(NameField.checked("%s-%d".formatted(name, own.size() + 1)));
      all.add(
          new MomentClones.Wanted(disk.id(), VolumeNames.metadata(own.getLast(), wanted.labels())));
    }
    MomentClones.Together made = claimed(disks, own, () -> clones.cloneTogether(all, moment));
    List<ClonedDisk> shown = new ArrayList<>();
    for (int i = 0; i < disks.size(); i++) {
      shown.add(
          new ClonedDisk(made.volumes().get(i).value(), own.get(i), disks.get(i).id().value()));
    }
    return new ClonedMachine(made.point(), shown);
  }

  /// The result of a call that makes a volume of each name, in the container of each disk.
  private <T> T claimed(List<VirtualVolume> disks, List<String> all, Supplier<T> making) {
    return disks.isEmpty()
        ? making.get()
        : names.claim(
            disks.getFirst().container(),
            all.getFirst(),
            () -> claimed(disks.subList(1, disks.size()), all.subList(1, all.size()), making));
  }

  private List<VirtualVolume> disks(String id) {
    List<VirtualVolume> own = VmId.vvols(volumes, id);
    if (own.isEmpty()) {
      throw RequestRejectedException.notFound("virtual machine", id);
    }
    return VmId.lasting(own);
  }

  private List<VirtualVolume> someDisks(String id) {
    List<VirtualVolume> disks = disks(id);
    if (disks.isEmpty()) {
      throw RequestRejectedException.conflict(
          "not-supported",
          id,
          "expected a virtual machine with config or data vVols, but %s has none".formatted(id));
    }
    return disks;
  }
}
