package io.coppice.vasa.volume.bin;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.Binning;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The recycle bin: deleted volumes and snapshots, which can be restored until their time is over
/// or the pool needs their space.
///
/// What is in the bin stands in the pool as before, with an attribute that says so
/// ([PoolAttributes#binned]). The pool decides: a row in the state BINNED follows the attribute.
/// Both ways, into the bin and out of it, are operations of [OperationLog] whose engine call writes
/// or removes that attribute alone. So a crash leaves a volume that is in the bin or is not, never
/// one between, and the recovery makes the row agree. Content, snapshots and clones are not touched
/// by either.
///
/// Everything that leaves the pool from here goes through [#purge]. It looks at the pool's
/// attribute under the volume's lock: a row of an older copy of the database purges nothing.
@Service
public final class RecycleBin {

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final SpaceStatistics spaces;
  private final BinTimes times;
  private final List<Consumer<VirtualVolume>> followers = new CopyOnWriteArrayList<>();
  private final AtomicLong purgedEarly = new AtomicLong();

  public RecycleBin(
      VolumeStore store, Containers containers, SpaceStatistics spaces, BinTimes times) {
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.spaces = spaces;
    this.times = times;
  }

  /// Has something else follow each restored volume or snapshot, in the transaction that makes its
  /// row final. If a crash comes before that, the recovery finishes the row, and nobody follows.
  public void whenRestored(Consumer<VirtualVolume> follower) {
    followers.add(follower);
  }

  /// A stay that begins now, because of the running code's actor; empty if nothing stays.
  public Optional<Binning> stay(UUID container, Binning.Reason reason) {
    Duration time = times.of(containers.require(container));
    Instant now = store.seen();
    return time.isZero()
        ? Optional.empty()
        : Optional.of(new Binning(now, now.plus(time), reason, Actor.current().name()));
  }

  /// Puts a volume or snapshot into the bin, if that takes it: swap, what is only prepared, and
  /// what the pool does not have any more is not taken, nor a volume whose attributes leave no room
  /// for more. The caller holds its lock and has found it unused.
  ///
  /// @param export what its export was, which stands beside it; null if it had none
  /// @return whether it is in the bin; if not, nothing has changed
  public boolean put(VirtualVolume volume, @Nullable String export) {
    if (volume.state() != VvolState.READY || volume.type() == VolumeType.SWAP) {
      return false;
    }
    Optional<Binning> stay = stay(volume.container(), Binning.Reason.DELETED);
    Optional<Map<String, String>> attributes =
        stay.flatMap(binning -> attributes(volume.id(), binning, export));
    if (attributes.isEmpty()) {
      return false;
    }
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.BIN, volume.id());
    store
        .log()
        .run(
            operation,
            OperationLog.Steps.of(
                () ->
                    engine.setAttributes(
                        operation.id(), volume.id(), attributes.get(), PoolAttributes.MARKS),
                info -> {
                  store.refresh(info);
                  store
                      .changes()
                      .append(
                          VolumeChanges.of(
                              volume,
                              ChangeKind.DELETE,
                              "Binned",
                              Map.of("until", shown(stay.get().until()).toString())));
                }));
    return true;
  }

  /// Those that a volume gets, as far as it has room: rather without its export than not at all.
  private Optional<Map<String, String>> attributes(
      VolumeId volume, Binning binning, @Nullable String export) {
    return engine
        .find(volume)
        .flatMap(
            info ->
                Stream.of(
                        PoolAttributes.binned(binning, export),
                        PoolAttributes.binned(binning, null))
                    .filter(more -> PoolAttributes.hasRoomFor(info, more))
                    .findFirst());
  }

  /// Takes a volume or snapshot out of the bin. It is as it was when it was deleted.
  ///
  /// @param name a new name; null for its own
  /// @return it, in the pool
  /// @throws VasaException (NotFound) if it is not in the bin, or is a safety copy; (OutOfResource)
  ///   if its container lacks the space
  public VirtualVolume restore(VolumeId id, @Nullable String name) {
    try (var _ = store.locks().hold(id)) {
      BinnedVolume one = require(id);
      if (one.binning().isSafetyCopy()) {
        throw VasaException.notFound(
            "%s is a safety copy, which is reverted to and not restored".formatted(id));
      }
      Map<String, String> renamed = name == null ? Map.of() : Map.of(VolumeChoice.NAME_KEY, name);
      VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.RESTORE, id);
      StorageContainer container = containers.require(one.volume().container());
      try (var _ = spaces.roomToRestore(container, id)) {
        store
            .log()
            .run(
                operation,
                OperationLog.Steps.of(
                    () ->
                        engine.setAttributes(
                            operation.id(),
                            id,
                            PoolAttributes.metadataAttributes(renamed),
                            PoolAttributes.BIN_KEYS),
                    info -> conclude(one.volume(), info, renamed)));
      }
      return store.requireReady(id);
    }
  }

  private void conclude(VirtualVolume before, VolumeInfo info, Map<String, String> renamed) {
    store.refresh(info);
    store.bin().resumeSchedule(info.id());
    store.rows().putMetadata(info.id(), renamed);
    VirtualVolume back = before.withMetadata(PoolAttributes.metadata(info));
    followers.forEach(follower -> follower.accept(back));
    store.changes().append(VolumeChanges.of(back, ChangeKind.NEW, "Restored", Map.of()));
  }

  /// Deletes something in the bin for good.
  ///
  /// @throws VasaException (NotFound) if it is not there
  public void purge(VolumeId id) {
    try (var _ = store.locks().hold(id)) {
      if (!purgeHeld(require(id), null)) {
        throw absent(id);
      }
    }
  }

  /// As [#purge], of something whose time is over.
  ///
  /// @param now by the time that has passed
  /// @return whether it has gone
  boolean purgeDue(VolumeId id, Instant now) {
    try (var _ = store.locks().hold(id)) {
      return store.bin().find(id).filter(one -> purgeHeld(one, now)).isPresent();
    }
  }

  /// As [#purge], before its time, by a thread that may hold locks of other volumes: what is locked
  /// is left alone.
  ///
  /// @return whether it has gone
  boolean purgeIfFree(VolumeId id) {
    if (store.locks().isHeldHere(id)) {
      return false;
    }
    try (var _ = store.locks().hold(Set.of(id), Duration.ZERO)) {
      boolean gone = store.bin().find(id).filter(one -> purgeHeld(one, null)).isPresent();
      if (gone) {
        purgedEarly.incrementAndGet();
      }
      return gone;
    } catch (VasaException e) { // somebody works on it
      return false;
    }
  }

  /// How many went before their time for their space, since the start.
  public long purgedEarly() {
    return purgedEarly.get();
  }

  /// @param due the moment by which its time must be over in the pool, too; null for any time
  private boolean purgeHeld(BinnedVolume one, @Nullable Instant due) {
    Optional<VolumeInfo> there = engine.find(one.id());
    if (there.isPresent() && !mayGo(there.get(), due)) {
      store.log().inTransaction(() -> store.refresh(there.get()));
      return false;
    }
    store.checkUnused(one.id());
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.DELETE, one.id());
    store
        .log()
        .run(
            operation,
            OperationLog.Steps.of(
                () -> deleteFromPool(operation, one.id()),
                _ -> {
                  store.rows().delete(one.id());
                  store
                      .changes()
                      .append(
                          VolumeChanges.of(one.volume(), ChangeKind.DELETE, "Purged", Map.of()));
                }));
    return true;
  }

  /// Whether something may leave the pool now. This one rule decides for what is due, for what goes
  /// early and for what a person purges. What is locked stays, however it came into the bin.
  ///
  /// @param due as in [#purgeHeld]
  private boolean mayGo(VolumeInfo info, @Nullable Instant due) {
    return PoolAttributes.binning(info)
        .filter(stay -> due == null || !stay.until().isAfter(due))
        .filter(_ -> engine.locks().lockedUntil(info).isEmpty())
        .isPresent();
  }

  /// Ids of what has been in the bin longest and may go for its space.
  List<VolumeId> oldestThatMayGo(int limit) {
    return store.bin().oldest(limit).stream()
        .filter(id -> engine.find(id).filter(info -> mayGo(info, null)).isPresent())
        .toList();
  }

  private boolean deleteFromPool(VolumeOperation operation, VolumeId id) {
    try {
      engine.delete(operation.id(), id);
      return true;
    } catch (StorageException.NotFound e) { // an earlier call could not remove its row
      return false;
    }
  }

  /// What the export was of something in the bin; empty if it had none.
  public Optional<String> exportOf(VolumeId id) {
    return engine.find(id).filter(PoolAttributes::isBinned).flatMap(PoolAttributes::binnedExport);
  }

  public Optional<BinnedVolume> find(VolumeId id) {
    return store.bin().find(id);
  }

  /// @throws VasaException (NotFound) if it is not in the bin
  public BinnedVolume require(VolumeId id) {
    return find(id).orElseThrow(() -> absent(id));
  }

  /// A safety copy, and those in the bin that were made with it, by one revert.
  public List<BinnedVolume> together(BinnedVolume safetyCopy) {
    String group = safetyCopy.volume().metadata().get(SnapshotChoice.GROUP_KEY);
    return group == null ? List.of(safetyCopy) : store.bin().safetyCopies(group);
  }

  private static VasaException absent(VolumeId id) {
    return VasaException.notFound("there is no %s in the recycle bin".formatted(id));
  }

  /// The first of a choice.
  ///
  /// @param order by `deleted`, by `until`, by `name` or by `size`
  public List<BinnedVolume> page(BinChoice chosen, RowOrder order, int limit) {
    return store.bin().page(chosen, order, limit);
  }

  /// The number of a choice.
  public int count(BinChoice chosen) {
    return store.bin().count(chosen);
  }

  /// The machine's clock at a moment of the time that has passed.
  public Instant shown(Instant seen) {
    return store.time().onTheClock(seen);
  }
}
