package io.coppice.admin.volume;

import io.coppice.admin.list.ListQuery;
import io.coppice.api.Page;
import io.coppice.api.volume.Snapshot;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Ancestry;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Snapshots as REST shows them.
@Component
final class SnapshotViews {

  private static final String VCENTER = "vCenter";

  private final VirtualVolumes volumes;
  private final VolumeViews views;
  private final Bindings bindings;
  private final Exports exports;
  private final LockedSnapshots locks;
  private final Ancestry ancestry;

  SnapshotViews(
      VirtualVolumes volumes,
      VolumeViews views,
      Bindings bindings,
      Exports exports,
      LockedSnapshots locks,
      Ancestry ancestry) {
    this.locks = locks;
    this.ancestry = ancestry;
    this.volumes = volumes;
    this.views = views;
    this.bindings = bindings;
    this.exports = exports;
  }

  static boolean isSnapshot(VirtualVolume volume) {
    return volume.snapshot() && volume.state() == VvolState.READY;
  }

  private static String kind(VolumeOrigin origin) {
    return switch (origin) {
      case HOST, ADOPTED -> "vasa";
      case ADMIN -> "manual";
      case SCHEDULE -> "scheduled";
    };
  }

  private static @Nullable String taker(VirtualVolume snapshot) {
    return snapshot.origin() == VolumeOrigin.HOST
        ? VCENTER
        : snapshot.metadata().get(SnapshotChoice.TAKER_KEY);
  }

  /// The origins of the snapshots of a kind.
  static Set<VolumeOrigin> origins(String kind) {
    Set<VolumeOrigin> origins = EnumSet.allOf(VolumeOrigin.class);
    origins.removeIf(origin -> !kind(origin).equals(kind));
    return origins;
  }

  /// The virtual machines, where known, of the volumes that snapshots were taken of. A snapshot
  /// without a machine of its own belongs to that one.
  private Map<VolumeId, String> machinesOfParents(Collection<VirtualVolume> snapshots) {
    return volumes.valuesOf(
        VmId.KEY,
        snapshots.stream()
            .filter(one -> VmId.of(one).isEmpty())
            .flatMap(one -> Stream.ofNullable(one.parent()))
            .collect(Collectors.toSet()));
  }

  static @Nullable String group(VirtualVolume snapshot) {
    return snapshot.metadata().get(SnapshotChoice.GROUP_KEY);
  }

  Page<Snapshot> page(ListQuery query, SnapshotChoice choice) {
    return query.page(VolumeRows.of(choice, volumes::snapshots, volumes::countSnapshots), this::of);
  }

  /// Views in the given order; a few statements, whatever their number.
  List<Snapshot> of(List<VirtualVolume> snapshots) {
    Map<VolumeId, String> machines = machinesOfParents(snapshots);
    Map<VolumeId, VolumeId> bases = ancestry.bases();
    return snapshots.stream().map(one -> view(one, machines, bases.get(one.id()))).toList();
  }

  private Snapshot view(
      VirtualVolume snapshot, Map<VolumeId, String> machines, @Nullable VolumeId base) {
    var space = views.space(snapshot.id());
    VolumeId parent = snapshot.parent();
    return new Snapshot(
        snapshot.id().value(),
        exports.naaOf(snapshot.id()),
        VmId.nameOf(snapshot),
        parent == null ? null : parent.value(),
        base == null ? null : base.value(),
        VmId.of(snapshot)
            .or(
                () ->
                    Optional.ofNullable(parent)
                        .map(machines::get)
                        .filter(machine -> !machine.isBlank()))
            .orElse(null),
        snapshot.container(),
        kind(snapshot.origin()),
        taker(snapshot),
        group(snapshot),
        snapshot.sizeInBytes(),
        space.mapped(),
        space.unique(),
        snapshot.created(),
        Labels.in(snapshot.metadata()),
        !bindings.of(snapshot.id()).isEmpty(),
        exports.isExported(snapshot.id()),
        locks.lockedUntil(snapshot.id()).orElse(null));
  }
}
