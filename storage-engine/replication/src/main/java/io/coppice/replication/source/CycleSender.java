package io.coppice.replication.source;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Place;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.message.LinkMessage;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.replica.ReplicaCatalog;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The sender of cycles: takes a group's snapshots by one record, and brings them to the other
/// pool.
///
/// *What a cut leaves:* the snapshots stay until the target has the replica. The next run goes on
/// with them, from the place that is stable there, and takes new ones only then. Safe for any
/// thread; the caller runs one cycle of a group at a time.
public final class CycleSender {

  /// Replicas of a group that stay in the source's pool once the target has them: the base of the
  /// next cycle, and one more for a target that comes back with an older state.
  public static final int KEPT = 2;

  private final StorageEngine engine;
  private final ReplicaCatalog catalog;
  private final InstantSource clock;

  public CycleSender(StorageEngine engine, ReplicaCatalog catalog, InstantSource clock) {
    this.engine = engine;
    this.catalog = catalog;
    this.clock = clock;
  }

  /// A name and tags for the replica.
  public record Label(String name, List<String> tags) {

    public static final Label NONE = new Label("", List.of());

    public Label {
      tags = List.copyOf(tags);
    }
  }

  /// Runs one cycle to its end: the one that had not ended, or a new one.
  ///
  /// @param label of a new one
  /// @throws ReplicationException as the target answered, or as the link ended; nothing is lost
  /// @throws StorageException as the engine, such as NotFound for a volume that is gone
  public CycleResult run(Conversation target, SourceGroup group, Label label) {
    LinkMessage.Replicas theirs =
        target.ask(new LinkMessage.AskReplicas(group.id()), LinkMessage.Replicas.class);
    Replica unfinished = unfinished(group, theirs.replicas());
    if (unfinished == null && group.relays()) {
      Replica newest =
          theirs.replicas().stream().findFirst().orElseThrow(() -> nothingToRelay(group));
      return new CycleResult(newest, false, 0, 0, 0, 0, true);
    }
    Cycle cycle =
        unfinished == null ? take(group, label, theirs.replicas()) : again(group, unfinished);
    return send(target, cycle, theirs, unfinished != null, group);
  }

  private static ReplicationException nothingToRelay(SourceGroup group) {
    return new ReplicationException(
        Reason.STATE,
        "Group %s has no replica here yet that could be passed on.".formatted(group.id()));
  }

  /// The newest replica here that the target does not have; null if it has the newest.
  private @Nullable Replica unfinished(SourceGroup group, List<Replica> theirs) {
    Replica newest = catalog.of(group.id()).stream().findFirst().orElse(null);
    long reached = theirs.isEmpty() ? 0 : theirs.getFirst().number();
    if (newest == null || newest.number() <= reached) {
      return null;
    }
    if (newest.snapshots().values().stream().allMatch(id -> engine.find(id).isPresent())) {
      return newest;
    }
    // Somebody deleted a part of it: it can never arrive whole.
    catalog.delete(group.id(), newest.cycle());
    return null;
  }

  private Cycle take(SourceGroup group, Label label, List<Replica> theirs) {
    long last = catalog.of(group.id()).stream().findFirst().map(Replica::number).orElse(0L);
    long reached = theirs.isEmpty() ? 0 : theirs.getFirst().number();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    List<Member> members = new ArrayList<>();
    Map<UUID, VolumeId> volumes = new HashMap<>();
    for (SourceGroup.SourceMember member : group.members()) {
      VolumeInfo info =
          engine
              .find(member.volume())
              .orElseThrow(
                  () ->
                      new StorageException.NotFound(
                          "Volume %s of the group does not exist.".formatted(member.volume())));
      volumes.put(member.id(), member.volume());
      members.add(
          new Member(
              member.id(), VolumeId.random(), info.sizeInBytes(), null, member.attributes()));
    }
    Cycle cycle =
        new Cycle(
            group.id(),
            UUID.randomUUID(),
            Math.max(last, reached) + 1,
            now,
            label.name(),
            label.tags(),
            members);
    catalog.take(cycle, volumes);
    return measured(cycle);
  }

  /// The cycle with the sizes that its snapshots have: a volume may have grown just before.
  private Cycle measured(Cycle cycle) {
    return with(cycle, cycle.members().stream().map(one -> sized(one, one.base())).toList());
  }

  private Member sized(Member member, @Nullable VolumeId base) {
    return new Member(
        member.id(),
        member.snapshot(),
        snapshot(member.snapshot()).sizeInBytes(),
        base,
        member.attributes());
  }

  private VolumeInfo snapshot(VolumeId id) {
    return engine
        .find(id)
        .orElseThrow(
            () -> new StorageException.NotFound("Snapshot %s of a cycle is gone.".formatted(id)));
  }

  private static Cycle with(Cycle cycle, List<Member> members) {
    return new Cycle(
        cycle.group(),
        cycle.id(),
        cycle.number(),
        cycle.taken(),
        cycle.name(),
        cycle.tags(),
        members);
  }

  private Cycle again(SourceGroup group, Replica replica) {
    List<Member> members = new ArrayList<>();
    replica.snapshots().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> {
              VolumeInfo info = snapshot(entry.getValue());
              members.add(
                  new Member(
                      entry.getKey(),
                      info.id(),
                      info.sizeInBytes(),
                      null,
                      ReplicaAttributes.ofSource(info)));
            });
    return new Cycle(
        group.id(),
        replica.cycle(),
        replica.number(),
        replica.taken(),
        replica.name(),
        replica.tags(),
        members);
  }

  private CycleResult send(
      Conversation target,
      Cycle cycle,
      LinkMessage.Replicas theirs,
      boolean resumed,
      SourceGroup group) {
    Cycle based = based(target, cycle, theirs.replicas());
    Place place;
    try {
      place = target.ask(new LinkMessage.Begin(based), LinkMessage.Begun.class).place();
    } catch (ReplicationException e) {
      if (e.reason() != Reason.NO_BASE) {
        throw e;
      }
      // What was said to be there is gone meanwhile. Without bases everything is sent.
      based = with(based, based.members().stream().map(one -> sized(one, null)).toList());
      place = target.ask(new LinkMessage.Begin(based), LinkMessage.Begun.class).place();
    }
    long before = target.link().sentBytes();
    List<SnapshotStream> streams = new ArrayList<>();
    for (int i = place.member(); i < based.members().size(); i++) {
      SnapshotStream stream = new SnapshotStream(engine, based.members().get(i), i, target::tell);
      stream.send(i == place.member() ? place.offset() : 0);
      streams.add(stream);
    }
    target.ask(new LinkMessage.Commit(cycle.id()), LinkMessage.Committed.class);
    Replica replica = catalog.find(cycle.group(), cycle.id()).orElseThrow();
    if (!group.relays()) {
      forget(group);
    }
    return new CycleResult(
        replica,
        resumed,
        streams.stream().mapToLong(SnapshotStream::dataBytes).sum(),
        streams.stream().mapToLong(SnapshotStream::holeBytes).sum(),
        streams.stream().mapToLong(SnapshotStream::ranges).sum(),
        target.link().sentBytes() - before,
        false);
  }

  private Cycle based(Conversation target, Cycle cycle, List<Replica> theirs) {
    BaseChoice choice = new BaseChoice(engine);
    List<Member> members = new ArrayList<>();
    for (Member member : cycle.members()) {
      VolumeInfo info = snapshot(member.snapshot());
      VolumeId base =
          Optional.ofNullable(choice.ofMember(member.id(), info, theirs))
              .orElseGet(() -> ofRelatives(target, choice, info));
      members.add(sized(member, base));
    }
    return with(cycle, members);
  }

  private @Nullable VolumeId ofRelatives(
      Conversation target, BaseChoice choice, VolumeInfo snapshot) {
    List<VolumeId> relatives = choice.relatives(snapshot, catalog.all());
    if (relatives.isEmpty()) {
      return null;
    }
    Set<VolumeId> known =
        target.ask(new LinkMessage.AskKnown(relatives), LinkMessage.Known.class).snapshots();
    return choice.nearest(snapshot, relatives.stream().filter(known::contains).toList());
  }

  /// Deletes the replicas of cycles from here that no cycle needs any more.
  private void forget(SourceGroup group) {
    List<Replica> own =
        catalog.of(group.id()).stream()
            .filter(replica -> !replica.taken().isBefore(group.since()))
            .toList();
    for (Replica old : own.subList(Math.min(KEPT, own.size()), own.size())) {
      try {
        catalog.delete(group.id(), old.cycle());
      } catch (StorageException.Locked e) {
        // It stays until its lock ends, and is deleted then.
      }
    }
  }
}
