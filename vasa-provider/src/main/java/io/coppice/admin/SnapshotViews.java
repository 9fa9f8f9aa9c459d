package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.LunDirectory;
import io.coppice.vasa.volume.Snapshots;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.vasa.volume.VolumeState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Snapshots as REST shows them.
@Component
final class SnapshotViews {

  private final VirtualVolumes volumes;
  private final VolumeViews views;
  private final LunDirectory luns;

  SnapshotViews(VirtualVolumes volumes, VolumeViews views, LunDirectory luns) {
    this.volumes = volumes;
    this.views = views;
    this.luns = luns;
  }

  /// @param vvol what it was taken of, which may be gone
  /// @param kind `vasa`, `manual` or `scheduled`
  /// @param group equal for the snapshots of one cut; null for others than manual ones
  /// @param naa as its logical unit names itself to initiators (VPD page 83h)
  record Snapshot(
      UUID id,
      String naa,
      @Nullable String name,
      @Nullable UUID vvol,
      @Nullable String vm,
      UUID container,
      String kind,
      @Nullable String group,
      long size,
      long mapped,
      long unique,
      Instant created,
      boolean bound,
      boolean exported) {}

  static boolean isSnapshot(VirtualVolume volume) {
    return volume.snapshot() && volume.state() == VolumeState.READY;
  }

  static String kind(VirtualVolume snapshot) {
    return switch (snapshot.origin()) {
      case HOST, ADOPTED -> "vasa";
      case ADMIN -> "manual";
      case SCHEDULE -> "scheduled";
    };
  }

  /// A snapshot has the virtual machine of the volume it was taken of.
  @Nullable String vm(VirtualVolume snapshot) {
    VolumeId parent = snapshot.parent();
    return VmId.of(snapshot)
        .or(() -> parent == null ? Optional.empty() : volumes.find(parent).flatMap(VmId::of))
        .orElse(null);
  }

  static @Nullable String group(VirtualVolume snapshot) {
    return snapshot.metadata().get(Snapshots.GROUP_KEY);
  }

  Page<Snapshot> page(ListQuery query, List<VirtualVolume> snapshots) {
    return query.page(
        snapshots.stream().filter(SnapshotViews::isSnapshot).toList(),
        snapshot -> ListQuery.key(snapshot.created(), snapshot.id()),
        this::of);
  }

  Snapshot of(VirtualVolume snapshot) {
    var space = views.space(snapshot.id());
    VolumeId parent = snapshot.parent();
    return new Snapshot(
        snapshot.id().value(),
        luns.naaOf(snapshot.id()),
        snapshot.metadata().get(VmId.NAME_KEY),
        parent == null ? null : parent.value(),
        vm(snapshot),
        snapshot.container(),
        kind(snapshot),
        group(snapshot),
        snapshot.sizeInBytes(),
        space.mapped(),
        space.unique(),
        snapshot.created(),
        !luns.bindingsOf(snapshot.id()).isEmpty(),
        luns.exportOf(snapshot.id()).isPresent());
  }
}
