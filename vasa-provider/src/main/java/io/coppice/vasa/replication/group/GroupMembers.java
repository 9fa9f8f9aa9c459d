package io.coppice.vasa.replication.group;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.source.SourceGroup;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// The members of a group as the pool has them now, so that cycles go on without the database.
final class GroupMembers {

  private static final Set<VolumeType> OF_NO_LATER_USE = Set.of(VolumeType.SWAP, VolumeType.MEMORY);

  private final StorageEngine engine;

  GroupMembers(StorageEngine engine) {
    this.engine = engine;
  }

  /// The volumes of the group, in order of their ids. One that is gone, or in the recycle bin, is
  /// none.
  List<VolumeInfo> of(GroupPlan plan) {
    Set<String> machines = new HashSet<>(plan.machines());
    Set<VolumeId> volumes = plan.volumes().stream().map(VolumeId::new).collect(Collectors.toSet());
    List<VolumeInfo> found = new ArrayList<>();
    if (machines.isEmpty()) {
      volumes.forEach(id -> engine.find(id).filter(GroupMembers::canGo).ifPresent(found::add));
    } else {
      for (VolumeInfo info : engine.list()) {
        boolean ofMachine =
            PoolAttributes.machine(info).filter(machines::contains).isPresent()
                && !OF_NO_LATER_USE.contains(PoolAttributes.type(info));
        if (canGo(info) && (ofMachine || volumes.contains(info.id()))) {
          found.add(info);
        }
      }
    }
    found.sort(Comparator.comparing(info -> info.id().value()));
    return found;
  }

  private static boolean canGo(VolumeInfo info) {
    return info.kind() == VolumeKind.WRITABLE
        && !PoolAttributes.isBinned(info)
        && !ReplicaAttributes.isCarrier(info);
  }

  /// The group for a cycle.
  ///
  /// @throws VasaException (InvalidArgument) if it has no volume, or more than one cut takes
  SourceGroup source(ReplicatedGroup group) {
    List<VolumeInfo> volumes =
        group.state() == GroupState.PREPARED ? held(group) : of(group.plan());
    requireOneCut(group.text(), volumes.size());
    Map<UUID, SourceGroup.SourceMember> members = new HashMap<>();
    for (VolumeInfo info : volumes) {
      UUID member = memberOf(group.id(), info);
      members.put(
          member, new SourceGroup.SourceMember(member, info.id(), MemberAttributes.sent(info)));
    }
    return new SourceGroup(group.id(), List.copyOf(members.values()), false, group.since());
  }

  /// The volumes that the state of a group is about.
  List<VolumeInfo> held(ReplicatedGroup group) {
    return group.held().stream().flatMap(id -> engine.find(new VolumeId(id)).stream()).toList();
  }

  /// The bytes of a volume or snapshot; 0 if it is gone.
  long sizeOf(VolumeId id) {
    return engine.find(id).map(VolumeInfo::sizeInBytes).orElse(0L);
  }

  static void requireOneCut(String what, int count) {
    if (count < 1 || count > StorageEngine.MAX_GROUP) {
      throw VasaException.invalidArgument(
              "expected 1 to %d volumes in %s, got %d"
                  .formatted(StorageEngine.MAX_GROUP, what, count))
          .about("members");
    }
  }

  /// The id as a member: one that came from the other end keeps that of its first pool.
  static UUID memberOf(UUID group, VolumeInfo info) {
    String member = info.attributes().get(ReplicaAttributes.MEMBER);
    return member == null
            || !group.toString().equals(info.attributes().get(ReplicaAttributes.GROUP))
        ? info.id().value()
        : UUID.fromString(member);
  }
}
