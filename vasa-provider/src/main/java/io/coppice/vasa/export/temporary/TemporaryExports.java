package io.coppice.vasa.export.temporary;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.DerivedMetadata;
import io.coppice.vasa.volume.store.OrphanRepository;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/// Exports of snapshots that end by themselves: to look into a recovery point.
///
/// Order, and what a crash leaves after each step of making one:
///
/// 1. A record of the pool names the snapshots and says MAKING. The ids of the clones follow from
///    it. A crash before it leaves nothing.
/// 2. Each clone is made, and each export. A crash leaves a record that says MAKING, and some of
///    them. Nobody was told of these. The next start takes them back, before a client is served.
/// 3. The record says SERVED. From now on it counts.
///
/// Ending one goes the other way: the record says ENDING, then exports and clones go, then the
/// record. Each of these steps may be repeated. A round goes on with a record that says ENDING or
/// MAKING and that no call of this process is at work on.
///
/// The volumes' locks are held over making, so nobody else exports one of them between two steps.
@Service
public final class TemporaryExports {

  private static final Logger log = LoggerFactory.getLogger(TemporaryExports.class);

  /// Work of the rounds, for the audit trail.
  static final String EXPIRE = "temporary-exports.expire";

  static final Duration SHORTEST = Duration.ofMinutes(1);

  private static final String STEPS = "TEMPORARY_EXPORT";
  private static final int SHOWN = 8; // digits of a clone's id in its name

  private final TemporaryRecords records;
  private final Exports exports;
  private final VirtualVolumes volumes;
  private final Clones clones;
  private final VolumeStore store;
  private final OwnWork own;
  private final TemporarySettings settings;
  private final StepObserver observer;

  /// Those that a call is at work on. Its lock is held while they are counted and one is added.
  private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

  public TemporaryExports(
      Exports exports,
      VirtualVolumes volumes,
      Clones clones,
      VolumeStore store,
      OwnWork own,
      TemporarySettings settings,
      StepObserver observer) {
    this.records = new TemporaryRecords(store.engine().records());
    this.exports = exports;
    this.volumes = volumes;
    this.clones = clones;
    this.store = store;
    this.own = own;
    this.settings = settings;
    this.observer = observer;
  }

  /// A temporary export as somebody wants it.
  ///
  /// @param point the recovery point that the snapshots are of; null for none
  /// @param name of what is looked into, for the names of clones
  /// @param keep how long it lasts; null for the setting
  public record Wanted(
      @Nullable UUID point,
      String name,
      List<VolumeId> snapshots,
      boolean writable,
      @Nullable Duration keep,
      ExportAudience audience) {}

  /// Makes one; stable on return.
  ///
  /// @throws VasaException (NotFound) if a snapshot, host or group is unknown; (InvalidArgument) if
  ///   one is no snapshot, or the time is too short or too long; (ResourceInUse) if a snapshot that
  ///   is to be served itself is exported already; (TooMany) if there are as many as there may be
  /// @throws RefusedException as [Exports#export]: nothing is left then
  public TemporaryExport make(Wanted wanted) {
    Duration keep = wanted.keep() == null ? settings.kept() : checked(wanted.keep());
    TemporaryExport draft =
        new TemporaryExport(
            UUID.randomUUID(),
            wanted.point(),
            wanted.writable(),
            TemporaryExport.State.MAKING,
            store.now(),
            store.seen().plus(keep),
            wanted.snapshots());
    Set<VolumeId> locked = new HashSet<>(draft.snapshots());
    locked.addAll(draft.served());
    busy.add(draft.id());
    try (var _ = store.locks().hold(locked.toArray(VolumeId[]::new))) {
      draft.snapshots().forEach(id -> requireFree(id, draft.writable()));
      begin(draft);
      serve(draft, wanted);
      TemporaryExport served = draft.now(TemporaryExport.State.SERVED);
      records.put(served);
      reached(Step.CONCLUDED);
      note(served, ChangeKind.NEW, "New");
      return served;
    } finally {
      busy.remove(draft.id());
    }
  }

  private static VasaException outOfRange(Duration keep, Duration longest) {
    return VasaException.invalidArgument(
            "expected a time from %s to %s, got %s".formatted(SHORTEST, longest, keep))
        .about("keepFor");
  }

  private Duration checked(Duration keep) {
    if (keep.compareTo(SHORTEST) < 0 || keep.compareTo(settings.longest()) > 0) {
      throw outOfRange(keep, settings.longest());
    }
    return keep;
  }

  private void requireFree(VolumeId id, boolean writable) {
    VirtualVolume snapshot = known(id);
    if (!snapshot.snapshot()) {
      throw VasaException.invalidArgument(
              "expected a snapshot, but %s is a volume: export it itself, or a clone".formatted(id))
          .about("snapshots");
    }
    if (!writable && exports.isExported(id)) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a snapshot that is not exported yet, but %s is: add initiators to that export, or ask for a writable one"
              .formatted(id));
    }
  }

  private VirtualVolume known(VolumeId id) {
    try {
      return volumes.requireReachable(id);
    } catch (VasaException e) {
      throw e.fault() instanceof Fault.NotFound ? e.about("snapshots") : e;
    }
  }

  private void begin(TemporaryExport draft) {
    reached(Step.BEGINNING);
    synchronized (busy) {
      if (records.all().size() >= settings.most()) {
        throw new VasaException(
            new Fault.TooMany(settings.most()),
            "expected fewer than %d temporary exports, which is the most: end one"
                .formatted(settings.most()));
      }
      records.put(draft);
    }
    reached(Step.INTENDED);
  }

  private void serve(TemporaryExport draft, Wanted wanted) {
    try {
      for (VolumeId snapshot : draft.snapshots()) {
        VolumeId served = draft.served(snapshot);
        if (draft.writable()) {
          clones.cloneAs(served, clone(draft, snapshot, served, wanted.name()));
          reached(Step.CLONED);
        }
        exports.export(
            served, Optional.empty(), Optional.of(!draft.writable()), wanted.audience(), false);
        reached(Step.IN_POOL);
      }
    } catch (RuntimeException e) {
      takeBack(draft, e);
      throw e;
    }
  }

  private static Clones.NewClone clone(
      TemporaryExport export, VolumeId snapshot, VolumeId id, String name) {
    return new Clones.NewClone(
        snapshot,
        null,
        VolumeOrigin.ADMIN,
        null,
        Map.of(
            VolumeChoice.NAME_KEY,
            "%s-%s".formatted(name, id.toString().substring(0, SHOWN)),
            DerivedMetadata.TYPE,
            VolumeType.OTHER.text(),
            OrphanRepository.EXPORT_KEY,
            export.id().toString()));
  }

  /// If that fails, too, a round repeats it.
  private void takeBack(TemporaryExport draft, RuntimeException reason) {
    try {
      removeAll(draft);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  /// Ends one at once, whoever uses it.
  ///
  /// @throws VasaException (NotFound) if there is none; (VasaProviderBusy) while another call
  ///   changes it
  public void end(UUID id) {
    TemporaryExport export = require(id);
    alone(
        export.id(),
        () -> {
          finish(require(id));
          note(export, ChangeKind.DELETE, "Delete");
          return id;
        });
  }

  /// Lets one end later or earlier than it would.
  ///
  /// @param keep from now on
  /// @throws VasaException (NotFound) if there is none; (InvalidArgument) if the time is too short
  ///   or too long; (VasaProviderBusy) while another call changes it
  public TemporaryExport keep(UUID id, Duration keep) {
    checked(keep);
    require(id);
    return alone(
        id,
        () -> {
          TemporaryExport changed = require(id).until(store.seen().plus(keep));
          records.put(changed);
          note(changed, ChangeKind.UPDATE, "Update");
          return changed;
        });
  }

  private <T> T alone(UUID id, Supplier<T> change) {
    if (!busy.add(id)) {
      throw VasaException.busy(
          "temporary export %s is being changed; repeat the call later".formatted(id));
    }
    try {
      return change.get();
    } finally {
      busy.remove(id);
    }
  }

  private void finish(TemporaryExport export) {
    reached(Step.BEGINNING);
    records.put(export.now(TemporaryExport.State.ENDING));
    reached(Step.INTENDED);
    removeAll(export);
  }

  /// Ends exports, deletes clones, forgets the record. Repeatable.
  private void removeAll(TemporaryExport export) {
    for (VolumeId snapshot : export.snapshots()) {
      VolumeId served = export.served(snapshot);
      if (exports.isExported(served)) {
        unlessGone(() -> exports.unexport(served));
        reached(Step.UNDONE_IN_POOL);
      }
      if (export.writable()) {
        unlessGone(() -> volumes.deleteForGood(served));
      }
    }
    records.remove(export.id());
    reached(Step.SETTLED);
  }

  private static void unlessGone(Runnable work) {
    try {
      work.run();
    } catch (VasaException e) {
      if (!(e.fault() instanceof Fault.NotFound)) {
        throw e;
      }
    }
  }

  private void reached(Step step) {
    observer.reached(STEPS, step);
  }

  // ---- rounds

  /// Ends those whose time has come, and goes on with those that were cut short: at the start also
  /// before clients are served.
  public void round() {
    Instant now = store.seen();
    for (TemporaryExport export : records.all()) {
      boolean due = export.state() != TemporaryExport.State.SERVED || !export.ends().isAfter(now);
      if ((due || isLeft(export)) && busy.add(export.id())) {
        try {
          attempt(export.id(), now);
        } finally {
          busy.remove(export.id());
        }
      }
    }
  }

  /// Whether somebody ended the export of a snapshot by hand: it is not ours any more.
  private boolean isLeft(TemporaryExport export) {
    return !export.writable() && !export.served().stream().allMatch(exports::isExported);
  }

  /// Its failure does not stop the others, but for the database's.
  private void attempt(UUID id, Instant now) {
    try {
      records.find(id).ifPresent(export -> look(export, now));
    } catch (DataAccessException | TransactionException e) {
      throw e;
    } catch (RuntimeException e) {
      own.failed(EXPIRE, id.toString(), String.valueOf(e.getMessage()));
      log.atWarn().addKeyValue("temporaryExport", id).setCause(e).log("cannot be ended yet");
    }
  }

  private void look(TemporaryExport export, Instant now) {
    switch (export.state()) {
      case MAKING -> removeAll(export);
      case ENDING -> {
        removeAll(export);
        noteEnd(export, now);
      }
      case SERVED -> {
        if (!export.ends().isAfter(now)) {
          finish(export);
          noteEnd(export, now);
          own.done(EXPIRE, export.id().toString());
        } else {
          leave(export);
        }
      }
    }
  }

  private void noteEnd(TemporaryExport export, Instant now) {
    note(export, ChangeKind.DELETE, export.ends().isAfter(now) ? "Delete" : "Expired");
  }

  private void leave(TemporaryExport export) {
    List<VolumeId> ours = export.snapshots().stream().filter(exports::isExported).toList();
    if (!export.writable() && ours.isEmpty()) {
      records.remove(export.id());
      note(export, ChangeKind.DELETE, "Delete");
    } else if (!export.writable() && ours.size() < export.snapshots().size()) {
      records.put(export.of(ours));
    }
  }

  // ---- lists

  /// Those of which the current viewer may see all that is served, without those that are being
  /// made.
  public List<TemporaryExport> list() {
    List<TemporaryExport> all =
        records.all().stream().filter(one -> one.state() == TemporaryExport.State.SERVED).toList();
    Set<VolumeId> seen =
        volumes.seen(
            all.stream().map(TemporaryExport::served).flatMap(Collection::stream).toList());
    return all.stream().filter(one -> seen.containsAll(one.served())).toList();
  }

  /// The clones of all of them, also of those that are being made or ended, whoever may see them.
  public Set<VolumeId> clones() {
    return records.all().stream()
        .filter(TemporaryExport::writable)
        .flatMap(one -> one.served().stream())
        .collect(Collectors.toSet());
  }

  /// The number of those that serve, whoever may see them. Asks the pool's memory alone.
  public long count() {
    return records.all().stream()
        .filter(one -> one.state() == TemporaryExport.State.SERVED)
        .count();
  }

  /// @throws VasaException (NotFound) if there is none that the current viewer may see
  public TemporaryExport require(UUID id) {
    return records
        .find(id)
        .filter(one -> one.state() == TemporaryExport.State.SERVED)
        .filter(one -> volumes.seen(one.served()).containsAll(one.served()))
        .orElseThrow(() -> VasaException.notFound("there is no temporary export " + id));
  }

  /// When it ends by the machine's clock as it goes now.
  public Instant endOf(TemporaryExport export) {
    return store.time().onTheClock(export.ends());
  }

  private void note(TemporaryExport export, ChangeKind kind, String message) {
    List<VirtualVolume> known = volumes.find(export.snapshots());
    List<String> names = new ArrayList<>();
    export.snapshots().stream().limit(SHOWN).forEach(id -> names.add(id.toString()));
    int more = export.snapshots().size() - names.size();
    NewChange change =
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(
                ObjectType.TEMPORARY_EXPORT, export.id().toString(), "TemporaryExport" + message),
            Map.of(
                "export",
                export.id().toString(),
                "snapshots",
                String.join(", ", names) + (more > 0 ? " and %d more".formatted(more) : ""),
                "until",
                endOf(export).toString()));
    store.changes().note(known.isEmpty() ? change : change.in(known.getFirst().container()));
  }
}
