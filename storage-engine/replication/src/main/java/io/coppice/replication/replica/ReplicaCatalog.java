package io.coppice.replication.replica;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// The replicas of all groups in one pool, in memory as the pool's snapshots say them.
///
/// A replica is made by one record, so it is whole or not there. It is deleted snapshot by
/// snapshot: it disappears from here first. After a crash in between, what is left of it is too
/// few, and the next catalogue deletes it. Safe for any thread.
public final class ReplicaCatalog {

  private static final Duration SNAPSHOT_TIMEOUT = Duration.ofSeconds(30);

  private final StorageEngine engine;
  private final Map<UUID, Map<UUID, Replica>> groups = new HashMap<>(); // under `this`
  private final Map<UUID, Set<VolumeId>> carriers = new HashMap<>(); // by group, under `this`

  /// Reads the replicas that the pool has, and finishes deletions that a crash cut off.
  public ReplicaCatalog(StorageEngine engine) {
    this.engine = engine;
    Map<UUID, List<Found>> cycles = new HashMap<>();
    for (VolumeInfo info : engine.list()) {
      ReplicaAttributes.Part part = ReplicaAttributes.part(info);
      if (ReplicaAttributes.isCarrier(info)) {
        ReplicaAttributes.group(info).ifPresent(group -> addCarrier(group, info.id()));
      } else if (part != null) {
        cycles.computeIfAbsent(part.cycle(), _ -> new ArrayList<>()).add(new Found(info, part));
      }
    }
    cycles.values().forEach(this::addOrDelete);
  }

  private record Found(VolumeInfo info, ReplicaAttributes.Part part) {}

  private void addOrDelete(List<Found> found) {
    ReplicaAttributes.Part first = found.getFirst().part();
    if (found.size() < first.count()) {
      found.forEach(one -> delete(one.info().id()));
      return;
    }
    Map<UUID, VolumeId> snapshots = new HashMap<>();
    found.forEach(one -> snapshots.put(one.part().member(), one.info().id()));
    add(
        first.group(),
        new Replica(
            first.cycle(), first.number(), first.taken(), first.name(), first.tags(), snapshots));
  }

  private synchronized void add(UUID group, Replica replica) {
    groups.computeIfAbsent(group, _ -> new HashMap<>()).put(replica.cycle(), replica);
  }

  /// The replicas of a group, newest first.
  public synchronized List<Replica> of(UUID group) {
    return groups.getOrDefault(group, Map.of()).values().stream()
        .sorted(Comparator.comparingLong(Replica::number).reversed())
        .toList();
  }

  public synchronized Optional<Replica> find(UUID group, UUID cycle) {
    return Optional.ofNullable(groups.getOrDefault(group, Map.of()).get(cycle));
  }

  /// Those of some snapshots that belong to a replica of any group.
  public synchronized Set<VolumeId> known(Collection<VolumeId> asked) {
    Set<VolumeId> wanted = new HashSet<>(asked);
    Set<VolumeId> known = new HashSet<>();
    groups
        .values()
        .forEach(all -> all.values().forEach(one -> known.addAll(one.snapshots().values())));
    wanted.retainAll(known);
    return wanted;
  }

  /// All snapshots of replicas, by group: the source's choice of a base.
  public synchronized List<VolumeId> all() {
    return groups.values().stream()
        .flatMap(group -> group.values().stream())
        .flatMap(replica -> replica.snapshots().values().stream())
        .toList();
  }

  /// The carriers of a group: a copy.
  public synchronized Set<VolumeId> carriers(UUID group) {
    return new HashSet<>(carriers.getOrDefault(group, Set.of()));
  }

  /// Notes a carrier that was made.
  public synchronized void addCarrier(UUID group, VolumeId carrier) {
    carriers.computeIfAbsent(group, _ -> new HashSet<>()).add(carrier);
  }

  /// Forgets a carrier that is none any more.
  public synchronized void removeCarrier(UUID group, VolumeId carrier) {
    carriers.getOrDefault(group, new HashSet<>()).remove(carrier);
  }

  /// Makes the replica of a cycle by one record: a snapshot of each member's volume.
  ///
  /// @param volumes by the members' ids
  /// @throws StorageException as [StorageEngine#snapshot]; there is no replica then
  public Replica take(Cycle cycle, Map<UUID, VolumeId> volumes) {
    List<SnapshotSpec> specs = new ArrayList<>();
    Map<UUID, VolumeId> snapshots = new HashMap<>();
    for (Member member : cycle.members()) {
      VolumeId volume = volumes.get(member.id());
      if (volume == null) {
        throw new IllegalArgumentException("expected a volume for member " + member.id());
      }
      specs.add(new SnapshotSpec(volume, member.snapshot(), ReplicaAttributes.of(cycle, member)));
      snapshots.put(member.id(), member.snapshot());
    }
    engine.snapshot(OperationId.random(), specs, SNAPSHOT_TIMEOUT);
    Replica replica =
        new Replica(
            cycle.id(), cycle.number(), cycle.taken(), cycle.name(), cycle.tags(), snapshots);
    add(cycle.group(), replica);
    return replica;
  }

  /// Deletes a replica, unless a lock holds one of its snapshots.
  ///
  /// @throws StorageException.Locked if one is locked; the replica stays whole
  public void delete(UUID group, UUID cycle) {
    Replica replica = find(group, cycle).orElse(null);
    if (replica == null) {
      return;
    }
    for (VolumeId snapshot : replica.snapshots().values()) {
      engine
          .find(snapshot)
          .flatMap(engine.locks()::lockedUntil)
          .ifPresent(
              until -> {
                throw new StorageException.Locked(
                    "Replica %s stays, because its snapshot %s is locked until %s."
                        .formatted(cycle, snapshot, until),
                    until);
              });
    }
    synchronized (this) {
      groups.getOrDefault(group, Map.of()).remove(cycle);
    }
    replica.snapshots().values().forEach(this::delete);
  }

  private void delete(VolumeId snapshot) {
    try {
      engine.delete(OperationId.random(), snapshot);
    } catch (StorageException.NotFound | StorageException.Locked e) {
      // Gone already, or locked meanwhile: then it is no replica any more, and stays as a snapshot.
    }
  }
}
