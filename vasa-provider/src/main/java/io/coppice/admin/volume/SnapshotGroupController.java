package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import io.coppice.api.volume.NewGroup;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Snapshots of any volumes at one point in time. `/snapshots?group=` lists those of a group.
@RestController
final class SnapshotGroupController {

  private final VirtualVolumes volumes;
  private final Snapshots snapshots;

  SnapshotGroupController(VirtualVolumes volumes, Snapshots snapshots) {
    this.volumes = volumes;
    this.snapshots = snapshots;
  }

  /// All of them or none are taken.
  @PostMapping("/snapshot-groups")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  ResponseEntity<Job> create(
      @RequestBody NewGroup wanted, @RequestParam(required = false) @Nullable String wait) {
    Jobs.checkWait(wait);
    String name = NameField.checked(wanted.name());
    Map<String, String> metadata = VolumeNames.metadata(name, wanted.labels());
    return Jobs.answer(snapshots.takeGroup(members(wanted), metadata), wait);
  }

  private List<VolumeId> members(NewGroup wanted) {
    List<@Nullable UUID> given = RequestRejectedException.requireField("volumes", wanted.volumes());
    if (given.isEmpty() || given.size() > StorageEngine.MAX_GROUP) {
      throw refused(
          "expected 1 to %d volumes, got %d".formatted(StorageEngine.MAX_GROUP, given.size()));
    }
    Set<VolumeId> seen = new HashSet<>();
    List<VolumeId> members = new ArrayList<>();
    for (UUID id : given) {
      if (id == null) {
        throw refused("expected ids of volumes, got null");
      }
      VolumeId member = new VolumeId(id);
      if (!seen.add(member)) {
        throw refused("expected each volume once, got %s twice".formatted(member));
      }
      requireMember(member);
      members.add(member);
    }
    return members;
  }

  private void requireMember(VolumeId id) {
    VirtualVolume volume =
        RequestRejectedException.about("volumes", () -> volumes.requireReady(id));
    if (volume.snapshot()) {
      throw refused("expected volumes, but %s is a snapshot".formatted(id));
    }
  }

  private static RequestRejectedException refused(String message) {
    return RequestRejectedException.field("volumes", message);
  }
}
