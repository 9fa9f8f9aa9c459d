package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.transport.OpenSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The directory's exports: volumes as plain logical units.
final class DirectoryExports {

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final DirectoryListener reachability;
  private final AccessRevocations departures;
  private final PlainNumbers numbers;

  /// The volumes that are held off; guarded by the lock of the changes.
  private final Set<VolumeId> suspended = new HashSet<>();

  DirectoryExports(
      DirectoryChanges changes,
      DirectoryListener reachability,
      AccessRevocations departures,
      PlainNumbers numbers) {
    this.numbers = numbers;
    this.changes = changes;
    this.state = changes.state();
    this.reachability = reachability;
    this.departures = departures;
  }

  Export export(OperationId operation, ExportRequest request) {
    SortedSet<String> wanted = InitiatorNames.all(request.initiators());
    if (wanted.isEmpty()) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "expected at least one initiator to export to");
    }
    VolumeId volume = request.volume();
    Export made =
        changes.once(
            operation,
            Export.class,
            () -> existing(request, wanted).orElseGet(() -> make(operation, request, wanted)));
    try (var _ = changes.locked()) {
      if (state.exportOf(volume).isPresent()) { // else it has gone again
        reachability.appeared(volume, 0, made.initiators());
      }
    }
    return made;
  }

  private Optional<Export> existing(ExportRequest request, SortedSet<String> wanted) {
    return state
        .exportOf(request.volume())
        .filter(e -> e.readOnly() == request.readOnly() && e.initiators().equals(wanted))
        .filter(e -> request.lun().isEmpty() || request.lun().get() == e.lun());
  }

  private Export make(OperationId operation, ExportRequest request, SortedSet<String> wanted) {
    VolumeId volume = request.volume();
    requireExportable(volume, request.readOnly());
    PlainNumbers.Choice choice = numbers.choose(request, wanted);
    Export next = new Export(volume, choice.lun(), request.readOnly(), wanted);
    List<RecordChange> list = new ArrayList<>(choice.records());
    list.add(DirectoryRecords.put(next));
    changes.apply(operation, list);
    state.refreshExport(volume);
    numbers.refresh(choice.ended());
    return state.exportOf(volume).orElse(next);
  }

  private void requireExportable(VolumeId volume, boolean readOnly) {
    VolumeInfo info = changes.require(volume);
    if (state.exportOf(volume).isPresent()) {
      throw DirectoryChanges.refused(
          Reason.IN_USE, "volume %s is exported already".formatted(volume));
    }
    if (!state.bindingsOf(volume).isEmpty()) {
      throw DirectoryChanges.refused(Reason.IN_USE, "volume %s is bound".formatted(volume));
    }
    if (info.kind() == VolumeKind.SNAPSHOT && !readOnly) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "snapshot %s can be exported read-only only".formatted(volume));
    }
  }

  Optional<FormerExport> unexport(OperationId operation, VolumeId volume) {
    Unexported done =
        changes.once(
            operation,
            Unexported.class,
            () ->
                state
                    .exportOf(volume)
                    .map(it -> end(operation, it, DirectoryRecords.removeExport(volume)))
                    .orElse(Unexported.NOTHING));
    departures.finish(done.departures());
    return done.export().map(this::former);
  }

  Export addInitiator(OperationId operation, VolumeId volume, String initiator) {
    String name = InitiatorNames.one(initiator);
    Export made = changes.once(operation, Export.class, () -> added(operation, volume, name));
    try (var _ = changes.locked()) {
      if (state.exportsTo(name, volume)) { // else it has gone again
        reachability.appeared(volume, 0, Set.of(name));
      }
    }
    return made;
  }

  void checkInitiator(VolumeId volume, String initiator) {
    String name = InitiatorNames.one(initiator);
    try (var _ = changes.locked()) {
      withMore(require(volume), name);
    }
  }

  private Export added(OperationId operation, VolumeId volume, String name) {
    Export now = require(volume);
    if (now.initiators().contains(name)) {
      return now;
    }
    return put(operation, withMore(now, name));
  }

  private Export withMore(Export now, String name) {
    if (!now.initiators().contains(name)) {
      numbers.requireFree(now, name);
    }
    Set<String> names = new HashSet<>(now.initiators());
    names.add(name);
    return with(now, InitiatorNames.all(names));
  }

  private Export put(OperationId operation, Export next) {
    changes.apply(operation, List.of(DirectoryRecords.put(next)));
    state.refreshExport(next.volume());
    return state.exportOf(next.volume()).orElse(next);
  }

  private static Export with(Export export, SortedSet<String> initiators) {
    return new Export(export.volume(), export.lun(), export.readOnly(), initiators);
  }

  private Export require(VolumeId volume) {
    return state
        .exportOf(volume)
        .orElseThrow(
            () ->
                DirectoryChanges.refused(
                    Reason.UNKNOWN, "volume %s is not exported".formatted(volume)));
  }

  /// A call that finds the initiator gone waits for the one that removed it.
  Export removeInitiator(OperationId operation, VolumeId volume, String initiator) {
    String name = InitiatorNames.one(initiator);
    Removed done = changes.once(operation, Removed.class, () -> removed(operation, volume, name));
    departures.finish(done.departures());
    return done.export();
  }

  private record Removed(Export export, List<AccessRevocations.Begun> departures) {}

  private Removed removed(OperationId operation, VolumeId volume, String name) {
    Export now = require(volume);
    if (now.initiators().contains(name)) {
      SortedSet<String> names = new TreeSet<>(now.initiators());
      names.remove(name);
      Export next = with(now, names);
      end(operation, with(now, new TreeSet<>(Set.of(name))), DirectoryRecords.put(next));
    }
    return new Removed(require(volume), departures.from(volume));
  }

  /// The mark comes before the second look at the sessions. A session that opens later finds the
  /// mark; one that opened before is seen, as long as a command of it runs. After the first look,
  /// sessions that have long been open do not notice a call that is refused.
  LunDirectory.Suspension suspend(VolumeId volume) {
    try (var _ = changes.locked()) {
      requireUnreached(volume);
      if (!suspended.add(volume)) {
        throw DirectoryChanges.refused(
            Reason.IN_USE, "volume %s is being changed already".formatted(volume));
      }
      reachability.suspended(volume, true);
      try {
        requireUnreached(volume);
      } catch (RuntimeException e) {
        resume(volume);
        throw e;
      }
      return () -> resume(volume);
    }
  }

  private void resume(VolumeId volume) {
    try (var _ = changes.locked()) {
      if (suspended.remove(volume)) {
        reachability.suspended(volume, false);
      }
    }
  }

  private void requireUnreached(VolumeId volume) {
    if (!state.bindingsOf(volume).isEmpty()) {
      throw DirectoryChanges.refused(Reason.IN_USE, "volume %s is bound".formatted(volume));
    }
    if (departures.isBeingLeft(volume)) {
      throw DirectoryChanges.refused(
          Reason.IN_USE,
          "commands of initiators that lost volume %s have not ended yet".formatted(volume));
    }
    SortedSet<String> sessions = new TreeSet<>();
    for (OpenSession session : sessions()) {
      if (state.exportsTo(session.initiator().name(), volume)) {
        sessions.add("%s at %s".formatted(session.initiator().name(), session.origin().address()));
      }
    }
    if (!sessions.isEmpty()) {
      throw DirectoryChanges.refused(
          Reason.IN_USE,
          "expected no session of an initiator that volume %s is exported to, but these are open: %s; log them out, or take the volume away from them"
              .formatted(volume, String.join(", ", sessions)));
    }
  }

  private List<OpenSession> sessions() {
    List<OpenSession> all = new ArrayList<>(reachability.sessions(0));
    all.addAll(reachability.sessions(1)); // copies name a volume from there, too
    return all;
  }

  private record Unexported(Optional<Export> export, List<AccessRevocations.Begun> departures) {
    private static final Unexported NOTHING = new Unexported(Optional.empty(), List.of());
  }

  /// One record ends the export, or an initiator's part of it, and says that its number rests:
  /// after a crash there are both or neither. Sessions that opened meanwhile may have reached the
  /// unit until its paths closed. So they are looked for again after that.
  ///
  /// @param export as its initiators lose it
  /// @param change of the record of the export
  private Unexported end(OperationId operation, Export export, RecordChange change) {
    Instant now = changes.now();
    List<RestingLuns.Rest> rests = numbers.restsOf(export, now);
    List<RecordChange> list = new ArrayList<>();
    list.add(change);
    list.add(changes.time().kept());
    rests.forEach(rest -> list.add(DirectoryRecords.put(rest)));
    changes.apply(operation, list);
    state.refreshExport(export.volume());
    numbers.refresh(rests);
    if (export.initiators().stream().anyMatch(it -> state.exportsTo(it, export.volume()))) {
      return new Unexported(Optional.of(export), List.of()); // exported since the first time
    }
    AccessRevocations.Begun begun = departures.disappeared(export.volume(), 0, export.initiators());
    List<RestingLuns.Rest> all = numbers.restsOf(export, now);
    if (!all.equals(rests)) {
      changes.apply(OperationId.random(), all.stream().map(DirectoryRecords::put).toList());
      numbers.refresh(all);
    }
    return new Unexported(Optional.of(export), List.of(begun));
  }

  private FormerExport former(Export export) {
    try (var _ = changes.locked()) {
      Instant until = changes.wallClock().plus(changes.settings().directory().rest().atLeast());
      return new FormerExport(export, until, numbers.sessionsOf(export));
    }
  }
}
