package io.coppice.replication.intake;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.replica.DerivedIds;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.replica.ReplicaCatalog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The volumes that cycles write: one for each member, of whose snapshots the replicas are made.
///
/// The carrier of a member is the volume of which its base is a snapshot, if that is one of this
/// member; it goes back to the base first. Else it is a new clone of the base, or a new volume. The
/// names of new ones follow from the cycle, so that whoever repeats a step finds them.
final class Carriers {

  private final StorageEngine engine;
  private final ReplicaCatalog catalog;
  private final Cycle cycle;

  Carriers(StorageEngine engine, ReplicaCatalog catalog, Cycle cycle) {
    this.engine = engine;
    this.catalog = catalog;
    this.cycle = cycle;
  }

  /// @throws ReplicationException (NO_BASE) if a base is not there
  void requireBases() {
    for (Member member : cycle.members()) {
      if (member.base() != null) {
        base(member, member.base());
      }
    }
  }

  private VolumeInfo base(Member member, VolumeId id) {
    return engine
        .find(id)
        .filter(ReplicaAttributes::isReplica)
        .filter(info -> info.sizeInBytes() <= member.sizeInBytes())
        .orElseThrow(
            () ->
                new ReplicationException(
                    Reason.NO_BASE,
                    "Expected snapshot %s of at most %d bytes as the base of member %s, but it is not here."
                        .formatted(id, member.sizeInBytes(), member.id())));
  }

  /// The carrier of each member, by its id.
  Map<UUID, VolumeId> volumes() {
    Map<UUID, VolumeId> all = new HashMap<>();
    cycle.members().forEach(member -> all.put(member.id(), volume(member)));
    return all;
  }

  /// Whether the bases and the carriers are there, so that data may go on into them.
  boolean exist() {
    return cycle.members().stream()
            .map(Member::base)
            .filter(Objects::nonNull)
            .allMatch(base -> engine.find(base).isPresent())
        && volumes().values().stream().allMatch(id -> engine.find(id).isPresent());
  }

  private VolumeId volume(Member member) {
    VolumeInfo carrier = member.base() == null ? null : carrierOf(member, member.base());
    return carrier == null ? fresh(member) : carrier.id();
  }

  private VolumeId fresh(Member member) {
    return DerivedIds.volume("carrier", cycle.id(), member.id(), String.valueOf(member.base()));
  }

  private @Nullable VolumeInfo carrierOf(Member member, VolumeId base) {
    VolumeId origin = base(member, base).origin();
    return origin == null
        ? null
        : engine.find(origin).filter(info -> carries(info, member)).orElse(null);
  }

  private boolean carries(VolumeInfo info, Member member) {
    return ReplicaAttributes.isCarrier(info)
        && cycle.group().toString().equals(info.attributes().get(ReplicaAttributes.GROUP))
        && member.id().toString().equals(info.attributes().get(ReplicaAttributes.MEMBER));
  }

  /// Gives each member a carrier that holds its base and has its size. Each step may be repeated.
  void prepare() {
    for (Member member : cycle.members()) {
      VolumeId base = member.base();
      VolumeInfo carrier = base == null ? null : carrierOf(member, base);
      VolumeInfo ready;
      if (carrier != null && base != null) {
        ready = engine.revert(OperationId.random(), carrier.id(), base);
      } else {
        ready = make(member, base);
      }
      if (ready.sizeInBytes() < member.sizeInBytes()) {
        engine.resize(OperationId.random(), ready.id(), member.sizeInBytes());
      }
    }
  }

  /// Makes a carrier, unless an attempt before this one did. That one has the same base, which is
  /// in its name, and holds data of this cycle only, which comes again.
  private VolumeInfo make(Member member, @Nullable VolumeId base) {
    VolumeId id = fresh(member);
    VolumeInfo before = engine.find(id).orElse(null);
    if (before != null) {
      return before;
    }
    Map<String, String> attributes = ReplicaAttributes.carrier(cycle, member);
    VolumeInfo made =
        base == null
            ? engine.create(
                OperationId.random(), new VolumeSpec(id, member.sizeInBytes(), false, attributes))
            : engine.clone(OperationId.random(), new CloneSpec(base, id, false, attributes));
    catalog.addCarrier(cycle.group(), id);
    return made;
  }

  /// Deletes the carriers of the group that no replica has a snapshot of: of members that are gone,
  /// and of cycles that never ended.
  void sweep() {
    Set<VolumeId> unused = catalog.carriers(cycle.group());
    for (Replica replica : catalog.of(cycle.group())) {
      for (VolumeId snapshot : replica.snapshots().values()) {
        engine.find(snapshot).map(VolumeInfo::origin).ifPresent(unused::remove);
      }
    }
    for (VolumeId id : unused) {
      try {
        if (engine.find(id).filter(ReplicaAttributes::isCarrier).isPresent()) {
          engine.delete(OperationId.random(), id);
        }
      } catch (StorageException.NotFound e) {
        // Somebody was faster.
      }
      catalog.removeCarrier(cycle.group(), id);
    }
  }
}
