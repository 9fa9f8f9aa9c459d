package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import io.coppice.api.volume.ComplianceState;
import io.coppice.api.volume.Named;
import io.coppice.api.volume.Snapshot;
import io.coppice.api.volume.Space;
import io.coppice.api.volume.Vvol;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/// Virtual volumes that can be written to; their snapshots are a list of their own.
@RestController
final class VvolController {

  private static final List<String> STATUSES = List.of("compliant", "nonCompliant", "unknown");

  private final VirtualVolumes volumes;
  private final Snapshots snapshots;
  private final VolumeViews views;
  private final SnapshotViews snapshotViews;

  VvolController(
      VirtualVolumes volumes, Snapshots snapshots, VolumeViews views, SnapshotViews snapshotViews) {
    this.volumes = volumes;
    this.snapshots = snapshots;
    this.views = views;
    this.snapshotViews = snapshotViews;
  }

  @GetMapping("/vvols")
  @WithinContainers
  Page<Vvol> list(
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String vm,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable UUID policy,
      @RequestParam(required = false) @Nullable String type,
      @RequestParam(required = false) @Nullable String compliance) {
    if (compliance != null && !STATUSES.contains(compliance)) {
      throw RequestRejectedException.field(
          "compliance", "expected one of %s, got '%s'".formatted(STATUSES, compliance));
    }
    VolumeType wanted = type == null ? null : VolumeType.parse(type);
    String profile = policy == null ? null : policy.toString();
    VolumeChoice choice =
        new VolumeChoice(
            container, wanted, null, name, profile, List.of(), compliance != null, null);
    var rows = VolumeRows.of(choice, volumes::page, volumes::count);
    if (vm != null) {
      List<VirtualVolume> chosen =
          VmId.vvols(volumes, vm).stream()
              .filter(volume -> container == null || volume.container().equals(container))
              .filter(volume -> wanted == null || volume.type() == wanted)
              .filter(volume -> name == null || name.equals(VmId.nameOf(volume)))
              .filter(volume -> profile == null || hasPolicy(volume, profile))
              .toList();
      return query.pageAtOnce(judged(chosen, compliance), VolumeRows.ORDERS, views::of);
    }
    return compliance == null
        ? query.page(rows, views::of)
        : query.page(rows, part -> judged(part, compliance), views::of);
  }

  private static boolean hasPolicy(VirtualVolume volume, String id) {
    AppliedProfile applied = volume.profile();
    return applied != null && applied.id().equals(id);
  }

  /// The volumes with a status; all if no status is asked for.
  private List<VirtualVolume> judged(List<VirtualVolume> all, @Nullable String status) {
    if (status == null) {
      return all;
    }
    Map<VolumeId, ComplianceState> states = views.compliance(all);
    return all.stream()
        .filter(
            volume -> {
              ComplianceState state = states.get(volume.id());
              return state != null && state.status().equals(status);
            })
        .toList();
  }

  static boolean isVvol(VirtualVolume volume) {
    return !volume.snapshot() && volume.state() == VvolState.READY;
  }

  @GetMapping("/vvols/{id}")
  @WithinContainers
  Vvol get(@PathVariable UUID id) {
    return views.of(require(id));
  }

  /// The space that a vVol takes, and the space that its deletion would give back. It is apart from
  /// the vVol itself because it may take longer.
  @GetMapping("/vvols/{id}/space")
  @WithinContainers
  Space space(@PathVariable UUID id) {
    return views.spaceOf(require(id));
  }

  private VirtualVolume require(UUID id) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (volume.snapshot()) {
      throw RequestRejectedException.notFound("vVol that is no snapshot,", id);
    }
    return volume;
  }

  @GetMapping("/vvols/{id}/snapshots")
  @WithinContainers
  Page<Snapshot> snapshots(
      @PathVariable UUID id,
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return snapshotViews.page(query, SnapshotChoice.of(Set.of(require(id).id()), name));
  }

  @PostMapping("/vvols/{id}/snapshots")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> snapshot(
      @PathVariable UUID id,
      @RequestBody Named wanted,
      @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    Map<String, String> metadata =
        VolumeNames.metadata(NameField.checked(wanted.name()), wanted.labels());
    return Jobs.answer(snapshots.takeGroup(List.of(require(id).id()), metadata), wait);
  }
}
