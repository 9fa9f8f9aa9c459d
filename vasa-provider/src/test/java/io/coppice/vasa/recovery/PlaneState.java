package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.HOST;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.directory.Binding;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What there is: volumes and bindings as the pool has them, containers as the rows do.
///
/// @param bindings of the one host
/// @param retired LUNs of protocol endpoints out of service
/// @param containers ids with names
record PlaneState(
    Map<VolumeId, Disk> volumes,
    Map<VolumeId, Place> bindings,
    Set<Integer> retired,
    Map<UUID, String> containers) {

  /// How many places of a volume are looked at.
  static final int PLACES = 4;

  /// What is written to one place at once.
  static final int PLACE_BYTES = 384 << 10;

  /// Where a volume's place is, in bytes: no two within one slice of a copy.
  static long offset(int place) {
    return place * (16L << 20);
  }

  /// Where a volume is bound.
  ///
  /// @param former LUN of the endpoint that the binding moved from and has not left; 0 for none
  record Place(int lun, int count, int former) {

    Place plus(int more) {
      return new Place(lun, count + more, former);
    }
  }

  /// @param content the first byte of each place
  /// @param binned whether it is in the recycle bin
  record Disk(
      VolumeId parent,
      UUID container,
      boolean snapshot,
      long size,
      boolean thick,
      String tag,
      String policy,
      List<Integer> content,
      boolean binned) {

    Disk withSize(long value) {
      return new Disk(parent, container, snapshot, value, thick, tag, policy, content, binned);
    }

    Disk withTag(String value) {
      return new Disk(parent, container, snapshot, size, thick, value, policy, content, binned);
    }

    Disk withContent(List<Integer> value) {
      return new Disk(parent, container, snapshot, size, thick, tag, policy, value, binned);
    }

    Disk withBinned(boolean value) {
      return new Disk(parent, container, snapshot, size, thick, tag, policy, content, value);
    }

    Disk withPolicy(String value, boolean set) {
      return new Disk(parent, container, snapshot, size, set, tag, value, content, binned);
    }
  }

  PlaneState {
    volumes = Map.copyOf(volumes);
    bindings = Map.copyOf(bindings);
    retired = Set.copyOf(retired);
    containers = Map.copyOf(containers);
  }

  static PlaneState of(ControlPlane plane) {
    Map<VolumeId, Disk> volumes = new HashMap<>();
    Map<VolumeId, VolumeId> parents = new HashMap<>();
    for (VirtualVolume row : plane.store.bin().allInEveryState()) {
      parents.put(row.id(), Objects.requireNonNullElse(row.parent(), row.id()));
    }
    for (VolumeInfo info : plane.engine.list()) {
      Map<String, String> attributes = info.attributes();
      String policy = attributes.getOrDefault("coppice.profile", "");
      volumes.put(
          info.id(),
          new Disk(
              parents.getOrDefault(info.id(), info.id()),
              UUID.fromString(attributes.get("coppice.container")),
              info.kind() == VolumeKind.SNAPSHOT,
              info.sizeInBytes(),
              info.reserved(),
              attributes.getOrDefault("vasa.tag", ""),
              policy.substring(policy.indexOf(':') + 1),
              content(plane, info.id()),
              PoolAttributes.isBinned(info)));
    }
    Map<UUID, String> containers = new HashMap<>();
    plane.containers.list().forEach(each -> containers.put(each.id(), each.name()));
    return new PlaneState(
        volumes, bindings(plane), plane.luns.retiredEndpoints().keySet(), containers);
  }

  private static List<Integer> content(ControlPlane plane, VolumeId id) {
    return IntStream.range(0, PLACES).mapToObj(place -> plane.read(id, offset(place))).toList();
  }

  private static Map<VolumeId, Place> bindings(ControlPlane plane) {
    Map<VolumeId, Integer> former = new HashMap<>();
    plane.luns.formerBindings().forEach(one -> former.put(one.volume(), one.endpoint().lun()));
    Map<VolumeId, Place> bindings = new HashMap<>();
    for (Binding binding : plane.luns.bindings()) {
      VolumeId volume = binding.volume();
      int left = Objects.requireNonNullElse(former.remove(volume), 0);
      Place place = new Place(binding.endpoint().lun(), binding.count(), left);
      if (!binding.host().equals(HOST) || bindings.put(volume, place) != null) {
        throw new AssertionError("expected one binding of one host, got also " + binding);
      }
    }
    if (!former.isEmpty()) {
      throw new AssertionError("expected former places of bindings only, got " + former);
    }
    return bindings;
  }

  /// Whether it is the same but for the ids of containers.
  boolean same(PlaneState other) {
    return volumes.equals(other.volumes)
        && bindings.equals(other.bindings)
        && retired.equals(other.retired)
        && Set.copyOf(containers.values()).equals(Set.copyOf(other.containers.values()));
  }

  /// What everybody sees.
  PlaneState withoutBinned() {
    Map<VolumeId, Disk> seen = new HashMap<>(volumes);
    seen.values().removeIf(Disk::binned);
    return new PlaneState(seen, bindings, retired, containers);
  }

  PlaneState with(VolumeId id, Disk disk) {
    Map<VolumeId, Disk> changed = new HashMap<>(volumes);
    changed.put(id, disk);
    return new PlaneState(changed, bindings, retired, containers);
  }

  PlaneState without(VolumeId id) {
    Map<VolumeId, Disk> changed = new HashMap<>(volumes);
    changed.remove(id);
    return new PlaneState(changed, bindings, retired, containers);
  }

  /// @param place null for none
  PlaneState bound(VolumeId id, @Nullable Place place) {
    Map<VolumeId, Place> changed = new HashMap<>(bindings);
    changed.remove(id);
    if (place != null && place.count() > 0) {
      changed.put(id, place);
    }
    return new PlaneState(volumes, changed, retired, containers);
  }

  PlaneState withoutBindings() {
    return new PlaneState(volumes, Map.of(), retired, containers);
  }

  PlaneState withRetired(Set<Integer> luns) {
    return new PlaneState(volumes, bindings, luns, containers);
  }

  PlaneState withContainers(Map<UUID, String> changed) {
    return new PlaneState(volumes, bindings, retired, changed);
  }

  PlaneState withContainer(String name) {
    Map<UUID, String> changed = new HashMap<>(containers);
    changed.put(UUID.randomUUID(), name);
    return withContainers(changed);
  }

  /// In what the rows differ from the pool, one sentence each.
  static List<String> differencesOfRows(ControlPlane plane) {
    Map<VolumeId, VolumeInfo> pool = new HashMap<>();
    plane.engine.list().forEach(info -> pool.put(info.id(), info));
    List<String> wrong =
        plane.store.bin().allInEveryState().stream()
            .filter(row -> row.state() != VvolState.PREPARED)
            .filter(row -> !agrees(row, pool.remove(row.id())))
            .map(row -> "row " + row)
            .collect(Collectors.toList());
    pool.keySet().forEach(id -> wrong.add("volume without a row " + id));
    for (String query :
        List.of(
            "select 'operation ' || kind from operation",
            "select 'task without an end ' || id from task where finished_at is null",
            "select 'half-made ' || id from volume where state = 'CREATING'")) {
      wrong.addAll(plane.jdbc.sql(query).query(String.class).list());
    }
    return wrong;
  }

  private static boolean agrees(VirtualVolume row, VolumeInfo info) {
    return info != null
        && row.state() == (PoolAttributes.isBinned(info) ? VvolState.BINNED : VvolState.READY)
        && row.sizeInBytes() == info.sizeInBytes()
        && row.thick() == info.reserved()
        && row.metadata()
            .getOrDefault("tag", "")
            .equals(info.attributes().getOrDefault("vasa.tag", ""));
  }
}
