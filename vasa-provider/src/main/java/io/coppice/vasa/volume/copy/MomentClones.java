package io.coppice.vasa.volume.copy;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import io.coppice.vasa.volume.timeline.Timelines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;

/// Clones of what volumes held at a moment of their timelines. The volumes may be bound and written
/// to meanwhile.
///
/// Several clones are one operation. Order, and what a crash leaves: the rows come first, then one
/// record of the pool after the other, and each clone names the operation as its maker. Nobody sees
/// one of them before the operation has ended. A crash before that leaves an operation with a row,
/// so recovery removes what it made. If the pool refuses one, those before it are removed here.
@Service
public final class MomentClones {

  private static final String TASK = "cloneAtMoment";

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final SpaceStatistics spaces;
  private final Clones clones;
  private final Timelines timelines;

  public MomentClones(
      VolumeStore store,
      Containers containers,
      SpaceStatistics spaces,
      Clones clones,
      Timelines timelines) {
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.spaces = spaces;
    this.clones = clones;
    this.timelines = timelines;
  }

  /// A clone to be made, in the container of its source.
  ///
  /// @param metadata stored with it
  public record Wanted(VolumeId source, Map<String, String> metadata) {

    public Wanted {
      metadata = Map.copyOf(metadata);
    }
  }

  /// Clones of several volumes as they were at one moment.
  ///
  /// @param volumes in the order of their sources
  public record Together(Instant point, List<VolumeId> volumes) {

    public Together {
      volumes = List.copyOf(volumes);
    }
  }

  /// The clones to be made, with all that was found out before.
  private record Plan(
      VolumeOperation operation,
      Timelines.Aim aim,
      List<VirtualVolume> sources,
      List<VirtualVolume> drafts) {

    /// Bytes of the clones in each container, in an order in which all wait for their turns.
    Map<UUID, Long> sizes() {
      Map<UUID, Long> sizes = new TreeMap<>();
      drafts.forEach(draft -> sizes.merge(draft.container(), draft.sizeInBytes(), Long::sum));
      return sizes;
    }
  }

  /// Makes a volume.
  ///
  /// @return the task, ended; its result is the new volume and the point
  /// @throws VasaException (NotFound) if the source is unknown, or its timeline does not reach back
  ///   to the moment; (NotSupported) if it is a snapshot or has no timeline; (InvalidArgument) if
  ///   the moment is in the future; (OutOfResource) if the container or the pool lacks the space
  public VasaTask clone(Wanted wanted, Instant moment) {
    return planned(
        List.of(wanted),
        moment,
        plan ->
            store
                .log()
                .runAsTask(
                    plan.operation(),
                    TASK,
                    new TaskResult.NewVolumeAt(plan.operation().volume(), plan.aim().point()),
                    steps(plan)));
  }

  /// Makes volumes as all of their sources were at a moment: all of them or none.
  ///
  /// @param wanted at least one, each source once
  /// @throws VasaException as [#clone]
  public Together cloneTogether(List<Wanted> wanted, Instant moment) {
    return planned(
        wanted,
        moment,
        plan -> {
          store.log().run(plan.operation(), steps(plan));
          return new Together(
              plan.aim().point(), plan.drafts().stream().map(VirtualVolume::id).toList());
        });
  }

  private <T> T planned(List<Wanted> wanted, Instant moment, Function<Plan, T> making) {
    List<VolumeId> sources = wanted.stream().map(Wanted::source).toList();
    List<VolumeId> ids = wanted.stream().map(_ -> VolumeId.random()).toList();
    VolumeId[] all = Stream.concat(sources.stream(), ids.stream()).toArray(VolumeId[]::new);
    try (var _ = store.locks().hold(all)) {
      List<VirtualVolume> rows = store.requireSnapshottable(sources);
      Timelines.Aim aim = timelines.aim(sources, moment);
      List<VirtualVolume> drafts = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        drafts.add(draft(ids.get(i), rows.get(i), wanted.get(i)));
      }
      VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.CREATE, ids.getFirst());
      Plan plan = new Plan(operation, aim, rows, drafts);
      return withRoom(List.copyOf(plan.sizes().entrySet()), () -> making.apply(plan));
    }
  }

  private VirtualVolume draft(VolumeId id, VirtualVolume source, Wanted wanted) {
    return clones.draft(
        id,
        source,
        containers.require(source.container()),
        new Clones.NewClone(source.id(), null, VolumeOrigin.ADMIN, null, wanted.metadata()),
        source.requirements());
  }

  /// @param needs what is left to be checked, by container
  private <T> T withRoom(List<Map.Entry<UUID, Long>> needs, Supplier<T> work) {
    if (needs.isEmpty()) {
      return work.get();
    }
    StorageContainer container = containers.require(needs.getFirst().getKey());
    try (var _ = spaces.roomFor(container, needs.getFirst().getValue(), false)) {
      return withRoom(needs.subList(1, needs.size()), work);
    }
  }

  private OperationLog.Steps<List<VolumeInfo>> steps(Plan plan) {
    OperationId maker = plan.operation().id();
    return new OperationLog.Steps<>(
        () -> plan.drafts().forEach(draft -> store.rows().insert(draft, maker)),
        () -> carryOut(plan),
        infos -> {
          infos.forEach(store::refresh);
          store.changes().append(changes(plan));
        },
        () -> plan.drafts().forEach(draft -> store.rows().delete(draft.id())));
  }

  private List<VolumeInfo> carryOut(Plan plan) {
    List<VolumeInfo> made = new ArrayList<>();
    try {
      for (int i = 0; i < plan.drafts().size(); i++) {
        made.add(clone(plan, i));
        store.log().reached(plan.operation(), Step.CLONED);
      }
      return made;
    } catch (StorageException.DeviceFailed e) {
      throw e; // whether it happened is known after the next open
    } catch (StorageException e) {
      made.forEach(one -> engine.delete(plan.operation().derived("undo:" + one.id()), one.id()));
      throw e instanceof StorageException.Overtaken ? Timelines.forgotten() : e;
    }
  }

  private VolumeInfo clone(Plan plan, int place) {
    VirtualVolume draft = plan.drafts().get(place);
    OperationId call = plan.operation().derived("clone:" + draft.id());
    CloneSpec spec =
        new CloneSpec(
            plan.sources().get(place).id(),
            draft.id(),
            draft.thick(),
            PoolAttributes.of(draft, plan.operation().id()));
    Instant point = Objects.requireNonNull(plan.aim().points().get(plan.sources().get(place).id()));
    return store.log().havingRoom(() -> engine.journals().clone(call, spec, point));
  }

  private List<NewChange> changes(Plan plan) {
    List<NewChange> changes = new ArrayList<>();
    for (int i = 0; i < plan.drafts().size(); i++) {
      VirtualVolume draft = plan.drafts().get(i);
      changes.add(
          VolumeChanges.clonedAt(
              draft,
              plan.sources().get(i),
              containers.require(draft.container()).text(),
              plan.aim().point()));
    }
    return changes;
  }
}
