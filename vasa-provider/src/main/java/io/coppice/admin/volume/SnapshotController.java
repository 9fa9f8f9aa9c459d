package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.field.LockFields;
import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import io.coppice.api.volume.Named;
import io.coppice.api.volume.Snapshot;
import io.coppice.api.volume.SnapshotLock;
import io.coppice.api.volume.Space;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.LabelFilter;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import io.coppice.vasa.volume.snapshot.Reverts;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Snapshots of every kind.
@RestController
final class SnapshotController {

  private static final List<String> KINDS = List.of("vasa", "manual", "scheduled");

  private final VirtualVolumes volumes;
  private final Reverts reverts;
  private final Clones clones;
  private final SnapshotViews views;
  private final VolumeViews volumeViews;
  private final VolumeNames names;
  private final LockedSnapshots locks;

  SnapshotController(
      VirtualVolumes volumes,
      Reverts reverts,
      Clones clones,
      SnapshotViews views,
      VolumeViews volumeViews,
      VolumeNames names,
      LockedSnapshots locks) {
    this.locks = locks;
    this.names = names;
    this.volumes = volumes;
    this.reverts = reverts;
    this.clones = clones;
    this.views = views;
    this.volumeViews = volumeViews;
  }

  @GetMapping("/snapshots")
  @WithinContainers
  Page<Snapshot> list(
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID vvol,
      @RequestParam(required = false) @Nullable String vm,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable List<String> label,
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(required = false) @Nullable String group) {
    if (kind != null && !KINDS.contains(kind)) {
      throw RequestRejectedException.field(
          "kind", "expected one of %s, got '%s'".formatted(KINDS, kind));
    }
    return views.page(
        query,
        new SnapshotChoice(
            vvol == null ? null : Set.of(new VolumeId(vvol)),
            kind == null ? null : SnapshotViews.origins(kind),
            vm,
            name,
            LabelFilter.parse(label),
            group));
  }

  @GetMapping("/snapshots/{id}")
  @WithinContainers
  Edited<Snapshot> get(@PathVariable UUID id) {
    VirtualVolume snapshot = require(id);
    return Edited.of(views.of(List.of(snapshot)).getFirst(), edition(snapshot));
  }

  private static Edition edition(VirtualVolume one) {
    return Edition.of(one.id())
        .with("name", VmId.nameOf(one))
        .with("origin", one.origin())
        .with("group", SnapshotViews.group(one));
  }

  /// The space of a snapshot, counted as that of a vVol.
  @GetMapping("/snapshots/{id}/space")
  @WithinContainers
  Space space(@PathVariable UUID id) {
    return volumeViews.spaceOf(require(id));
  }

  private VirtualVolume require(UUID id) {
    return volumes
        .find(new VolumeId(id))
        .filter(SnapshotViews::isSnapshot)
        .orElseThrow(() -> RequestRejectedException.notFound("snapshot", id));
  }

  /// Deletes a snapshot. One that vCenter manages takes `force`, because vCenter would miss it.
  @DeleteMapping("/snapshots/{id}")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean force,
      @RequestParam(defaultValue = "false") boolean purge,
      IfMatch ifMatch,
      HttpServletRequest request) {
    RoleCheck.requirePurging(purge, request);
    volumes.alone(
        new VolumeId(id),
        () -> {
          VirtualVolume snapshot = require(id);
          ifMatch.require(() -> edition(snapshot));
          delete(snapshot, force, purge);
          return id;
        });
  }

  private void delete(VirtualVolume snapshot, boolean force, boolean purge) {
    if (snapshot.origin() == VolumeOrigin.HOST && !force) {
      throw RequestRejectedException.conflict(
          "managed-by-vcenter",
          snapshot.id().toString(),
          "expected a snapshot of this array's own, but %s is one of vCenter's: delete it there, or with ?force=true"
              .formatted(snapshot.id()));
    }
    VolumeController.delete(volumes, snapshot.id(), purge);
  }

  /// Locks a snapshot, or lengthens its lock.
  @PostMapping("/snapshots/{id}/lock")
  @RequiredRole(Role.STORAGE_ADMIN)
  Snapshot lock(@PathVariable UUID id, @RequestBody SnapshotLock wanted) {
    Instant end = LockFields.end(wanted, locks.now());
    locks.lock(require(id).id(), end);
    return views.of(List.of(require(id))).getFirst();
  }

  @PostMapping("/snapshots/{id}/revert")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> revert(
      @PathVariable UUID id, @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    VirtualVolume snapshot = require(id);
    VolumeId parent = snapshot.parent();
    if (parent == null) {
      throw RequestRejectedException.notFound("vVol of snapshot", id);
    }
    return Jobs.answer(reverts.revert(parent, snapshot.id()), wait);
  }

  @PostMapping("/snapshots/{id}/clone")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> clone(
      @PathVariable UUID id,
      @RequestBody Named wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    String name = NameField.checked(wanted.name());
    VirtualVolume source = require(id);
    Clones.NewClone clone =
        new Clones.NewClone(
            source.id(),
            null,
            VolumeOrigin.ADMIN,
            null,
            VolumeNames.metadata(name, wanted.labels()));
    return Jobs.answer(names.claim(source.container(), name, () -> clones.clone(clone)), wait);
  }
}
