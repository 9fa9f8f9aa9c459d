package io.coppice.vasa.replication.group;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Replica;
import io.coppice.replication.replica.DerivedIds;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.lifecycle.VolumeRecovery;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The step between volumes that everybody sees and carriers that only cycles write.
///
/// Each operation may be cut short anywhere and repeated: it looks at what is there, and does the
/// rest.
final class ReplicaVolumes {

  /// Name of the replica that [#keep] makes.
  private static final String KEPT = "before the reversal";

  private final VolumeStore store;
  private final StorageEngine engine;
  private final VolumeRecovery recovery;
  private final Containers containers;
  private final ReplicaCatalog catalog;

  ReplicaVolumes(
      VolumeStore store, VolumeRecovery recovery, Containers containers, ReplicaCatalog catalog) {
    this.store = store;
    this.engine = store.engine();
    this.recovery = recovery;
    this.containers = containers;
    this.catalog = catalog;
  }

  // ---- a replica becomes the volumes

  /// Makes volumes of a replica: its carriers go back to it by one record and become volumes. A
  /// member whose carrier is gone gets a clone.
  ///
  /// *Crash argument:* nobody but a cycle writes a carrier, and the state of the group refuses
  /// cycles. So the carriers may go back again, as long as they are carriers; those that are none
  /// any more went back before they became volumes.
  ///
  /// @return the volumes
  List<UUID> release(ReplicatedGroup group, Replica replica) {
    Map<UUID, VolumeInfo> carriers = new HashMap<>();
    Map<VolumeId, VolumeId> back = new LinkedHashMap<>();
    replica
        .snapshots()
        .forEach(
            (member, snapshot) -> {
              VolumeInfo carrier = carrier(group.id(), member, snapshot);
              if (carrier != null) {
                carriers.put(member, carrier);
                if (ReplicaAttributes.isCarrier(carrier)) {
                  back.put(carrier.id(), snapshot);
                }
              }
            });
    if (!back.isEmpty()) {
      engine.revert(OperationId.random(), back);
    }
    List<UUID> volumes = new ArrayList<>();
    replica
        .snapshots()
        .forEach(
            (member, snapshot) -> {
              VolumeInfo carrier = carriers.get(member);
              VolumeId volume = carrier == null ? fresh("fail-over", group, member) : carrier.id();
              Map<String, String> told = told(snapshot);
              if (carrier == null) {
                make(group, member, snapshot, volume, told);
              } else {
                publish(group, carrier, told);
              }
              volumes.add(volume.value());
            });
    return volumes;
  }

  private @Nullable VolumeInfo carrier(UUID group, UUID member, VolumeId snapshot) {
    return engine
        .find(snapshot)
        .map(VolumeInfo::origin)
        .flatMap(engine::find)
        .filter(info -> group.toString().equals(info.attributes().get(ReplicaAttributes.GROUP)))
        .filter(info -> member.toString().equals(info.attributes().get(ReplicaAttributes.MEMBER)))
        .orElse(null);
  }

  /// A volume that is made at this change of the group, and no other.
  private static VolumeId fresh(String what, ReplicatedGroup group, UUID member) {
    return DerivedIds.volume(what, group.id(), member, group.since().toEpochMilli());
  }

  /// The volume at the source that a snapshot of a replica was taken of.
  VolumeId source(UUID member, VolumeId snapshot) {
    return MemberAttributes.source(told(snapshot), member);
  }

  /// The container that the volume of a member gets with a fail-over; empty if there is none.
  Optional<StorageContainer> landing(ReplicatedGroup group, UUID member, VolumeId snapshot) {
    VolumeInfo carrier = carrier(group.id(), member, snapshot);
    return (carrier == null
            ? Optional.<StorageContainer>empty()
            : containers.find(PoolAttributes.container(carrier)))
        .or(() -> landing(group));
  }

  /// The container that gets volumes of a fail-over which were in none here; empty if there is
  /// none.
  Optional<StorageContainer> landing(ReplicatedGroup group) {
    String wanted = group.landing();
    return containers.list().stream().filter(one -> isWanted(one, wanted)).findFirst();
  }

  private static boolean isWanted(StorageContainer one, @Nullable String wanted) {
    return wanted == null || one.name().equals(wanted) || one.id().toString().equals(wanted);
  }

  private Map<String, String> told(VolumeId snapshot) {
    return engine.find(snapshot).map(ReplicaAttributes::ofSource).orElse(Map.of());
  }

  /// Lets volumes that a preparation took out of use be volumes again, as they are.
  void release(ReplicatedGroup group, List<UUID> volumes) {
    for (UUID id : volumes) {
      engine.find(new VolumeId(id)).ifPresent(info -> publish(group, info, Map.of()));
    }
  }

  private void publish(ReplicatedGroup group, VolumeInfo info, Map<String, String> told) {
    if (ReplicaAttributes.isCarrier(info)) {
      StorageContainer container = container(group, info);
      engine.setAttributes(
          OperationId.random(),
          info.id(),
          MemberAttributes.ofVolume(told, container),
          Set.of(ReplicaAttributes.CYCLE));
      catalog.removeCarrier(group.id(), info.id());
    }
    recovery.agreeOn(info.id());
  }

  /// The container of a volume of the group: its own if it was here before.
  private StorageContainer container(ReplicatedGroup group, VolumeInfo info) {
    return containers
        .find(PoolAttributes.container(info))
        .orElseGet(() -> container(group.landing()));
  }

  /// The container that a plan names.
  ///
  /// @param wanted id or name; null for the first one
  /// @throws VasaException (NotFound) if there is no such one
  StorageContainer container(@Nullable String wanted) {
    return containers.list().stream()
        .filter(one -> isWanted(one, wanted))
        .findFirst()
        .orElseThrow(
            () ->
                VasaException.notFound(
                        wanted == null
                            ? "there is no storage container here that could take the volumes of a replica"
                            : "there is no storage container \"%s\" here".formatted(wanted))
                    .about("container"));
  }

  // ---- a replica is shown for a test

  /// The volumes that a test of a replica will show.
  static List<UUID> ofTest(ReplicatedGroup group, Replica replica) {
    return replica.snapshots().keySet().stream()
        .map(member -> fresh("test", group, member).value())
        .toList();
  }

  /// Makes clones of a replica. They belong to no virtual machine: two must not claim one disk.
  void show(ReplicatedGroup group, Replica replica) {
    replica
        .snapshots()
        .forEach(
            (member, snapshot) -> {
              Map<String, String> told = new HashMap<>(told(snapshot));
              told.remove(PoolAttributes.MACHINE);
              String name = MemberAttributes.nameOf(told, member) + " (test)";
              make(
                  group,
                  member,
                  snapshot,
                  fresh("test", group, member),
                  MemberAttributes.named(told, name));
            });
  }

  private void make(
      ReplicatedGroup group,
      UUID member,
      VolumeId snapshot,
      VolumeId volume,
      Map<String, String> told) {
    if (engine.find(volume).isEmpty()) {
      Map<String, String> attributes =
          new HashMap<>(MemberAttributes.ofVolume(told, container(group.landing())));
      attributes.put(ReplicaAttributes.GROUP, group.id().toString());
      attributes.put(ReplicaAttributes.MEMBER, member.toString());
      engine.clone(
          OperationId.random(), new CloneSpec(snapshot, volume, false, Map.copyOf(attributes)));
    }
    recovery.agreeOn(volume);
  }

  /// Gives volumes of a test the names and the virtual machine of those that they are copies of.
  void adopt(ReplicatedGroup group, Replica replica) {
    for (UUID id : group.held()) {
      VolumeInfo info = engine.find(new VolumeId(id)).orElse(null);
      if (info != null) {
        VolumeId snapshot = replica.snapshots().get(GroupMembers.memberOf(group.id(), info));
        if (snapshot != null) {
          engine.setAttributes(
              OperationId.random(), info.id(), MemberAttributes.ofVolume(told(snapshot)), Set.of());
        }
        recovery.agreeOn(info.id());
      }
    }
  }

  // ---- volumes become carriers

  /// Takes volumes out of use: from now on only cycles write them, and nobody sees them. Their rows
  /// stay, out of sight, with all that belongs to them ([VolumeStore#hide]), until [#publish].
  ///
  /// *Crash argument:* the pool comes first. A crash before its row leaves a carrier with a row in
  /// use, and one on the way back a volume with a row out of use; the next start makes both rows
  /// agree with the pool before calls are answered ([VolumeRecovery#agreeWithPool]).
  ///
  /// @throws VasaException (ResourceInUse) if one is bound, exported or otherwise in use; then none
  ///   is out of use that was not before
  void demote(ReplicatedGroup group, List<VolumeInfo> volumes, UUID cycle) {
    VolumeId[] ids = volumes.stream().map(VolumeInfo::id).toArray(VolumeId[]::new);
    try (var _ = store.locks().hold(ids)) {
      for (VolumeId id : ids) {
        store.checkUnused(id);
      }
      for (VolumeInfo info : volumes) {
        engine.setAttributes(
            OperationId.random(),
            info.id(),
            Map.of(
                ReplicaAttributes.GROUP,
                group.id().toString(),
                ReplicaAttributes.MEMBER,
                GroupMembers.memberOf(group.id(), info).toString(),
                ReplicaAttributes.CYCLE,
                cycle.toString()),
            Set.of());
        catalog.addCarrier(group.id(), info.id());
        recovery.agreeOn(info.id());
      }
    }
  }

  /// Keeps what volumes hold as a replica of its own: what the other end never got stays here until
  /// the tiers let it go.
  ///
  /// @param now when the group was turned: what was kept then is not kept again
  void keep(ReplicatedGroup group, List<VolumeInfo> volumes, Instant now) {
    Replica newest = catalog.of(group.id()).stream().findFirst().orElse(null);
    boolean isKept = newest != null && newest.name().equals(KEPT) && !newest.taken().isBefore(now);
    if (volumes.isEmpty() || isKept) {
      return;
    }
    long number = newest == null ? 1 : newest.number() + 1;
    Map<UUID, VolumeId> byMember = new HashMap<>();
    List<Member> members = new ArrayList<>();
    for (VolumeInfo info : volumes) {
      UUID member = GroupMembers.memberOf(group.id(), info);
      byMember.put(member, info.id());
      members.add(
          new Member(
              member, VolumeId.random(), info.sizeInBytes(), null, MemberAttributes.sent(info)));
    }
    catalog.take(
        new Cycle(group.id(), UUID.randomUUID(), number, now, KEPT, List.of(), members), byMember);
  }

  /// Deletes the carriers and replicas of a group that is removed, and the rows of carriers that
  /// were volumes once. Volumes that everybody sees stay. A crash in between leaves rows out of use
  /// without a volume, which the next start deletes.
  void drop(UUID group) {
    for (Replica replica : catalog.of(group)) {
      catalog.delete(group, replica.cycle());
    }
    for (VolumeId carrier : catalog.carriers(group)) {
      if (engine.find(carrier).filter(ReplicaAttributes::isCarrier).isPresent()) {
        try {
          engine.delete(OperationId.random(), carrier);
        } catch (StorageException.NotFound e) {
          // Somebody was faster.
        }
        recovery.agreeOn(carrier);
      }
      catalog.removeCarrier(group, carrier);
    }
  }
}
