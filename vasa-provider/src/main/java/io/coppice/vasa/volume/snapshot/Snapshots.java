package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome.Refused;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome.Taken;
import io.coppice.vasa.volume.store.DerivedMetadata;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// Snapshots: prepare and take in two steps for hosts, and in one for the array.
///
/// A group is one engine call and so one record of the log: all of it exists or nothing, at one
/// cut. The rows go from PREPARED to CREATING with the operation's row, before that call, and to
/// READY with its end. Recovery removes what a crash between them left in the pool. The caller was
/// not answered, and would take a group whose cut lies before its own preparation for a new one.
/// The volumes and the future snapshots are locked together, from before the first row on, so that
/// recovery never meets a group between two steps.
@Service
public final class Snapshots {

  /// Name of the task of [#takeGroup].
  public static final String GROUP_TASK = "snapshotGroup";

  /// The time that a group waits for its place if the caller gives none.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int BATCH = 1000;

  private final VolumeStore store;
  private final StorageEngine engine;
  private final SnapshotSettings settings;

  public Snapshots(VolumeStore store, SnapshotSettings settings) {
    this.store = store;
    this.engine = store.engine();
    this.settings = settings;
  }

  /// A prepared snapshot to be taken, with the metadata to store.
  public record Prepared(VolumeId snapshot, Map<String, String> metadata) {
    public Prepared {
      metadata = Map.copyOf(metadata);
    }
  }

  /// Gives a future snapshot its id (VASA 2.0 prepareToSnapshotVirtualVolume). Nothing is written
  /// to the pool.
  ///
  /// @param profile for the snapshot; null for that of the volume
  /// @param session number of the caller's session
  /// @return the task, ended; its result names the snapshot
  /// @throws VasaException (NotFound) if the volume is unknown; (NotSupported) if it is a snapshot;
  ///   (InvalidProfile) if the profile cannot be met
  public VasaTask prepare(VolumeId volume, @Nullable StorageProfile profile, UUID session) {
    Requirements requirements =
        profile == null ? Requirements.NONE : Capabilities.requirementsOf(profile);
    VolumeId id = VolumeId.random();
    try (var _ = store.locks().hold(volume, id)) {
      VirtualVolume parent = store.requireSnapshottable(volume);
      VirtualVolume draft =
          draft(
              id,
              parent,
              VvolState.PREPARED,
              VolumeOrigin.HOST,
              profile == null ? parent.profile() : AppliedProfile.of(profile),
              profile == null ? parent.requirements() : requirements);
      return store
          .log()
          .note(
              "prepareToSnapshotVirtualVolume",
              draft.id(),
              new TaskResult.PreparedSnapshot(draft.id()),
              () -> {
                store.rows().insert(draft, null);
                store.rows().setPrepared(draft.id(), session, store.seen());
              });
    }
  }

  /// Forgets prepared snapshots that nobody took, in three cases. The session that prepared them
  /// has been over for as long as the settings say; or they are as old as the settings allow though
  /// it lives; or their volume is gone. The first call that does not find a session among `live`
  /// notes its end; a restart ends all.
  ///
  /// @param live numbers of the open sessions
  /// @return number of snapshots forgotten
  public int forgetPrepared(Set<UUID> live) {
    int forgotten = 0;
    Instant now = store.seen();
    store.rows().abandonPrepared(live, now);
    Instant abandoned = now.minus(settings.preparedKept());
    Instant prepared = now.minus(settings.preparedLifetime());
    for (VolumeId snapshot : store.rows().stalePrepared(abandoned, prepared, BATCH)) {
      try (var _ = store.locks().hold(snapshot)) {
        forgotten += store.rows().deletePrepared(snapshot) ? 1 : 0;
      }
    }
    return forgotten;
  }

  private VirtualVolume draft(
      VolumeId id,
      VirtualVolume parent,
      VvolState state,
      VolumeOrigin origin,
      @Nullable AppliedProfile profile,
      Requirements requirements) {
    return new VirtualVolume(
        id,
        parent.container(),
        parent.type(),
        state,
        origin,
        true,
        parent.sizeInBytes(),
        false,
        parent.id(),
        profile,
        requirements,
        store.now(),
        Map.of());
  }

  /// Takes prepared snapshots as one consistency group (VASA 2.0 snapshotVirtualVolume).
  ///
  /// Items that cannot be taken are refused (NotFound; ResourceInUse if taken already or while a
  /// copy of differences writes to the volume; InvalidArgument if named twice) and the others are
  /// taken. A failure of the group is that of each of its items: Timeout means that none of them
  /// exists.
  ///
  /// @param timeout how long the group may wait for its place in the log
  /// @return one outcome per item, in order
  public List<SnapshotOutcome> take(List<Prepared> items, Duration timeout) {
    List<VolumeId> ids = items.stream().map(Prepared::snapshot).toList();
    long deadline = System.nanoTime() + timeout.toNanos();
    try (var _ = store.locks().hold(withParents(ids), timeout)) {
      Map<VolumeId, VirtualVolume> rows = byId(ids);
      Map<VolumeId, VasaException> refused = new HashMap<>();
      Map<VolumeId, VirtualVolume> group = new LinkedHashMap<>();
      List<SnapshotOutcome> outcomes = new ArrayList<>();
      for (Prepared item : items) {
        checkPrepared(item, rows, group, refused);
      }
      Map<VolumeId, VasaException> failed =
          group.isEmpty()
              ? Map.of()
              : takeTogether(List.copyOf(group.values()), deadline - System.nanoTime());
      for (VolumeId id : ids) {
        VasaException why = refused.getOrDefault(id, failed.get(id));
        outcomes.add(why == null ? new Taken(id) : new Refused(id, why));
      }
      return markRepeats(outcomes);
    } catch (VasaException e) {
      return ids.stream().map(id -> (SnapshotOutcome) new Refused(id, e)).toList();
    }
  }

  private void checkPrepared(
      Prepared item,
      Map<VolumeId, VirtualVolume> rows,
      Map<VolumeId, VirtualVolume> group,
      Map<VolumeId, VasaException> refused) {
    VolumeId id = item.snapshot();
    VirtualVolume row = rows.get(id);
    VolumeId parent = row == null ? null : row.parent();
    if (row == null || !row.snapshot() || parent == null || !rows.containsKey(parent)) {
      refused.put(id, VasaException.notFound("there is no prepared snapshot " + id));
    } else if (row.state() != VvolState.PREPARED) {
      refused.put(
          id,
          new VasaException(
              new Fault.ResourceInUse(), "snapshot %s is taken already".formatted(id)));
    } else if (store.isCopiedTo(parent)) {
      refused.put(id, store.copying(parent));
    } else {
      group.putIfAbsent(
          id, row.withMetadata(DerivedMetadata.over(item.metadata(), row.container(), row.type())));
    }
  }

  /// Marks repeated ids: an id that came before in the batch names no snapshot of its own.
  private static List<SnapshotOutcome> markRepeats(List<SnapshotOutcome> outcomes) {
    List<SnapshotOutcome> marked = new ArrayList<>();
    List<VolumeId> seen = new ArrayList<>();
    for (SnapshotOutcome outcome : outcomes) {
      if (seen.contains(outcome.id())) {
        marked.add(
            new Refused(
                outcome.id(),
                VasaException.invalidArgument(
                    "expected each snapshot once, got %s twice".formatted(outcome.id()))));
      } else {
        marked.add(outcome);
      }
      seen.add(outcome.id());
    }
    return marked;
  }

  /// @return the reason for each snapshot that was not taken: nothing, or the same for all
  private Map<VolumeId, VasaException> takeTogether(List<VirtualVolume> group, long nanosLeft) {
    VolumeOperation operation = operation(OperationId.random(), group);
    var rows =
        new RowChanges(
            () -> group.forEach(row -> claim(row, operation.id())),
            () -> {},
            () -> group.forEach(row -> store.rows().setTaking(row.id(), null)));
    try {
      store
          .log()
          .run(operation, steps(operation, group, Duration.ofNanos(Math.max(1, nanosLeft)), rows));
      return Map.of();
    } catch (VasaException e) {
      Map<VolumeId, VasaException> failed = new HashMap<>();
      group.forEach(row -> failed.put(row.id(), e));
      return failed;
    }
  }

  private void claim(VirtualVolume row, OperationId operation) {
    store.rows().setTaking(row.id(), operation);
    store.rows().putMetadata(row.id(), row.metadata());
  }

  /// Changes of the rows of a group before and after the engine call.
  private record RowChanges(Runnable intend, Runnable conclude, Runnable withdraw) {}

  /// The one way to take a group, whoever asked for it.
  private OperationLog.Steps<List<VolumeInfo>> steps(
      VolumeOperation operation, List<VirtualVolume> group, Duration timeout, RowChanges rows) {
    List<SnapshotSpec> specs = specs(group, operation.id());
    return new OperationLog.Steps<>(
        rows.intend(),
        () -> store.log().havingRoom(() -> engine.snapshot(operation.id(), specs, timeout)),
        infos -> {
          infos.forEach(store::refresh);
          noteTaken(group);
          rows.conclude().run();
        },
        rows.withdraw());
  }

  private void noteTaken(List<VirtualVolume> group) {
    List<VolumeId> ids =
        group.stream().map(VirtualVolume::parent).flatMap(Stream::ofNullable).distinct().toList();
    Map<VolumeId, VirtualVolume> parents =
        store.rows().find(ids).stream().collect(Collectors.toMap(VirtualVolume::id, row -> row));
    store
        .changes()
        .append(
            group.stream()
                .map(row -> VolumeChanges.taken(row, parents.get(row.parent())))
                .toList());
  }

  private static List<SnapshotSpec> specs(List<VirtualVolume> group, OperationId operation) {
    List<SnapshotSpec> specs = new ArrayList<>();
    for (VirtualVolume row : group) {
      VolumeId parent = row.parent();
      if (parent == null) {
        throw new IllegalStateException("snapshot %s has no parent".formatted(row.id()));
      }
      specs.add(new SnapshotSpec(parent, row.id(), PoolAttributes.of(row, operation)));
    }
    return specs;
  }

  /// Takes snapshots of volumes at one cut, without preparation, for the array's own purposes.
  ///
  /// @param volumes 1 to [StorageEngine#MAX_GROUP]
  /// @param alsoConclude runs in the transaction that makes the snapshots final
  /// @return the snapshots, in the order of the volumes
  /// @throws VasaException (NotFound) if a volume is unknown; (NotSupported) if one is a snapshot;
  ///   (ResourceInUse) while a copy of differences goes on onto one; (OutOfResource) or
  ///   (StorageFault) if the pool refuses: none exists then
  public List<VolumeId> takeNow(
      List<VolumeId> volumes,
      VolumeOrigin origin,
      Map<String, String> metadata,
      Runnable alsoConclude) {
    OperationId run = OperationId.random();
    return unprepared(
        volumes,
        origin,
        metadata,
        group -> {
          VolumeOperation operation = operation(run, group);
          Runnable alsoIntend = () -> store.rows().setSeen(run, store.seen());
          store.log().run(operation, unpreparedSteps(operation, group, alsoIntend, alsoConclude));
          return group.stream().map(VirtualVolume::id).toList();
        });
  }

  /// Has `taking` take a group whose rows are still to be written, under the locks that it needs.
  /// Each snapshot says who takes it ([SnapshotChoice#TAKER_KEY]).
  private <T> T unprepared(
      List<VolumeId> volumes,
      VolumeOrigin origin,
      Map<String, String> metadata,
      Function<List<VirtualVolume>, T> taking) {
    List<VolumeId> ids = volumes.stream().map(_ -> VolumeId.random()).toList();
    VolumeId[] both = Stream.concat(volumes.stream(), ids.stream()).toArray(VolumeId[]::new);
    Map<String, String> marked = new HashMap<>(metadata);
    marked.put(SnapshotChoice.TAKER_KEY, Actor.current().name());
    try (var _ = store.locks().hold(both)) {
      return taking.apply(drafts(volumes, ids, origin, marked));
    }
  }

  private static VolumeOperation operation(OperationId id, List<VirtualVolume> group) {
    return new VolumeOperation(
        id, VolumeOperation.Kind.SNAPSHOT, group.getFirst().id(), null, null, null);
  }

  /// As [#steps], of a group whose rows come with the operation.
  private OperationLog.Steps<List<VolumeInfo>> unpreparedSteps(
      VolumeOperation operation,
      List<VirtualVolume> group,
      Runnable alsoIntend,
      Runnable alsoConclude) {
    return steps(
        operation,
        group,
        PATIENCE,
        new RowChanges(
            () -> {
              group.forEach(row -> store.rows().insert(row, operation.id()));
              alsoIntend.run();
            },
            alsoConclude,
            () -> group.forEach(row -> store.rows().delete(row.id()))));
  }

  private List<VirtualVolume> drafts(
      List<VolumeId> volumes,
      List<VolumeId> ids,
      VolumeOrigin origin,
      Map<String, String> metadata) {
    List<VirtualVolume> parents = store.requireSnapshottable(volumes);
    List<VirtualVolume> drafts = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      VirtualVolume parent = parents.get(i);
      drafts.add(
          draft(
                  ids.get(i),
                  parent,
                  VvolState.CREATING,
                  origin,
                  parent.profile(),
                  parent.requirements())
              .withMetadata(metadata));
    }
    return drafts;
  }

  /// Takes snapshots of volumes at one cut for an administrator. Each carries
  /// [SnapshotChoice#GROUP_KEY].
  ///
  /// @param volumes 1 to [StorageEngine#MAX_GROUP]
  /// @return the task, ended; its result is the snapshot of the first volume
  /// @throws VasaException as [#takeNow]
  public VasaTask takeGroup(List<VolumeId> volumes, Map<String, String> metadata) {
    OperationId run = OperationId.random();
    Map<String, String> marked = new HashMap<>(metadata);
    marked.put(SnapshotChoice.GROUP_KEY, run.toString());
    return unprepared(
        volumes,
        VolumeOrigin.ADMIN,
        marked,
        group -> {
          VolumeOperation operation = operation(run, group);
          return store
              .log()
              .runAsTask(
                  operation,
                  GROUP_TASK,
                  new TaskResult.NewVolume(operation.volume()),
                  unpreparedSteps(operation, group, () -> {}, () -> {}));
        });
  }

  /// Snapshots of a volume, oldest first, prepared and scheduled ones included.
  public List<VirtualVolume> of(VolumeId volume) {
    return store.rows().snapshotsOf(volume);
  }

  private List<VolumeId> withParents(List<VolumeId> ids) {
    return Stream.concat(
            ids.stream(),
            store.rows().find(ids).stream().map(VirtualVolume::parent).flatMap(Stream::ofNullable))
        .distinct()
        .toList();
  }

  /// The rows of the snapshots and of their parents.
  private Map<VolumeId, VirtualVolume> byId(List<VolumeId> ids) {
    Map<VolumeId, VirtualVolume> rows = new HashMap<>();
    store.rows().find(withParents(ids)).forEach(row -> rows.put(row.id(), row));
    return rows;
  }
}
