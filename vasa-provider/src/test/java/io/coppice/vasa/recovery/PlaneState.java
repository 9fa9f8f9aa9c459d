package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.HOST;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// What there is: volumes and bindings as the pool has them, containers as the rows do.
///
/// @param bindings of the one host, with their counts
/// @param containers ids with names
record PlaneState(
    Map<VolumeId, Disk> volumes, Map<VolumeId, Integer> bindings, Map<UUID, String> containers) {

  /// @param content the first byte
  record Disk(
      VolumeId parent,
      UUID container,
      boolean snapshot,
      long size,
      boolean thick,
      String tag,
      String policy,
      int content) {

    Disk withSize(long value) {
      return new Disk(parent, container, snapshot, value, thick, tag, policy, content);
    }

    Disk withTag(String value) {
      return new Disk(parent, container, snapshot, size, thick, value, policy, content);
    }

    Disk withContent(int value) {
      return new Disk(parent, container, snapshot, size, thick, tag, policy, value);
    }

    Disk withPolicy(String value, boolean set) {
      return new Disk(parent, container, snapshot, size, set, tag, value, content);
    }
  }

  PlaneState {
    volumes = Map.copyOf(volumes);
    bindings = Map.copyOf(bindings);
    containers = Map.copyOf(containers);
  }

  static PlaneState of(ControlPlane plane) {
    Map<VolumeId, Disk> volumes = new HashMap<>();
    Map<VolumeId, VolumeId> parents = new HashMap<>();
    for (VirtualVolume row : plane.volumes.list()) {
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
              plane.read(info.id(), 0)));
    }
    Map<VolumeId, Integer> bindings = new HashMap<>();
    plane.luns.bindings().stream()
        .filter(binding -> binding.host().equals(HOST))
        .forEach(binding -> bindings.put(binding.volume(), binding.count()));
    Map<UUID, String> containers = new HashMap<>();
    plane.containers.list().forEach(each -> containers.put(each.id(), each.name()));
    return new PlaneState(volumes, bindings, containers);
  }

  /// Whether it is the same but for the ids of containers.
  boolean same(PlaneState other) {
    return volumes.equals(other.volumes)
        && bindings.equals(other.bindings)
        && Set.copyOf(containers.values()).equals(Set.copyOf(other.containers.values()));
  }

  PlaneState with(VolumeId id, Disk disk) {
    Map<VolumeId, Disk> changed = new HashMap<>(volumes);
    changed.put(id, disk);
    return new PlaneState(changed, bindings, containers);
  }

  PlaneState without(VolumeId id) {
    Map<VolumeId, Disk> changed = new HashMap<>(volumes);
    changed.remove(id);
    return new PlaneState(changed, bindings, containers);
  }

  PlaneState bound(VolumeId id, int count) {
    Map<VolumeId, Integer> changed = new HashMap<>(bindings);
    changed.put(id, count);
    changed.values().removeIf(each -> each < 1);
    return new PlaneState(volumes, changed, containers);
  }

  PlaneState withContainer(String name) {
    Map<UUID, String> changed = new HashMap<>(containers);
    changed.put(UUID.randomUUID(), name);
    return new PlaneState(volumes, bindings, changed);
  }

  /// In what the rows differ from the pool, one sentence each.
  static List<String> differencesOfRows(ControlPlane plane) {
    Map<VolumeId, VolumeInfo> pool = new HashMap<>();
    plane.engine.list().forEach(info -> pool.put(info.id(), info));
    List<String> wrong =
        plane.volumes.list().stream()
            .filter(row -> row.state() != VolumeState.PREPARED)
            .filter(row -> !agrees(row, pool.remove(row.id())))
            .map(row -> "row " + row)
            .collect(java.util.stream.Collectors.toList());
    pool.keySet().forEach(id -> wrong.add("volume without a row " + id));
    Map<VolumeId, Integer> bindings = new HashMap<>();
    plane
        .jdbc
        .sql("select volume_id, count from binding where host = 'host-1'")
        .query(
            row -> {
              bindings.put(
                  new VolumeId(row.getObject("volume_id", UUID.class)), row.getInt("count"));
            });
    if (!bindings.equals(of(plane).bindings())) {
      wrong.add("binding rows " + bindings);
    }
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
        && row.state() == VolumeState.READY
        && row.sizeInBytes() == info.sizeInBytes()
        && row.thick() == info.reserved()
        && row.metadata()
            .getOrDefault("tag", "")
            .equals(info.attributes().getOrDefault("vasa.tag", ""));
  }
}
