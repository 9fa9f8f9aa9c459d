package io.coppice.scsi.directory.pool;

import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.directory.pool.RestingLuns.Rest;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.OpenSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The numbers of plain units: the choice for an export, and the numbers that rest.
///
/// Not safe for threads: guarded by the directory's lock.
final class PlainNumbers {

  private static final int LARGEST = 0x3fff;

  /// The largest number that every initiator addresses and looks for. Larger ones are given out
  /// when none of these is left.
  private static final int LARGEST_COMMON = 255;

  private static final int REMOVALS_PER_RECORD = 256;
  private static final int MOST_ISIDS = 1024; // what fits into a record

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final DirectoryListener reachability;
  private final RestingLuns resting;

  PlainNumbers(DirectoryChanges changes, DirectoryListener reachability) {
    this.changes = changes;
    this.state = changes.state();
    this.reachability = reachability;
    this.resting =
        new RestingLuns(
            changes.records().resting(),
            changes.settings().directory().rest().atLeast(),
            changes.time());
  }

  boolean anyRests() {
    return !resting.isEmpty();
  }

  /// The number of an export.
  ///
  /// @param ended rests that end with it
  /// @param records changes that go with it
  record Choice(int lun, List<Rest> ended, List<RecordChange> records) {}

  /// @param initiators in lower case
  /// @throws RefusedException if the number asked for is none, taken or rests, or none is left
  Choice choose(ExportRequest request, Set<String> initiators) {
    Set<InitiatorPort> open = openPorts();
    List<Rest> ended = new ArrayList<>(resting.over(REMOVALS_PER_RECORD, open::contains));
    List<RecordChange> list = new ArrayList<>();
    int lun;
    if (request.lun().isPresent()) {
      lun = requireNumber(request.lun().get());
      requireFree(lun, initiators);
      ended.addAll(requireRested(lun, request, initiators, open));
    } else {
      lun = next(request.volume(), initiators, open);
      initiators.forEach(name -> list.add(DirectoryRecords.putLastLun(name, lun)));
    }
    ended.forEach(rest -> list.add(DirectoryRecords.remove(rest)));
    forgotten(ended, initiators).forEach(n -> list.add(DirectoryRecords.removeLastLun(n)));
    return new Choice(lun, ended, list);
  }

  /// Initiators that are left without an export and without a number that rests.
  private Set<String> forgotten(List<Rest> ended, Set<String> wanted) {
    return ended.stream()
        .map(Rest::initiator)
        .filter(name -> !wanted.contains(name) && !state.exportsTo(name))
        .filter(name -> !resting.anyRests(name, ended))
        .collect(Collectors.toSet());
  }

  private int lastOf(String initiator) {
    return changes
        .records()
        .lastLunOf(initiator)
        .or(() -> isKnown(initiator) ? changes.records().lastSharedLun() : Optional.empty())
        .orElse(-1);
  }

  private boolean isKnown(String initiator) {
    return state.exportsTo(initiator) || resting.anyRests(initiator, List.of());
  }

  private int next(VolumeId volume, Set<String> initiators, Set<InitiatorPort> open) {
    int last = initiators.stream().mapToInt(this::lastOf).max().orElse(-1);
    return IntStream.concat(ring(0, LARGEST_COMMON, last), ring(LARGEST_COMMON + 1, LARGEST, last))
        .filter(lun -> initiators.stream().allMatch(it -> state.exportAt(lun, it).isEmpty()))
        .filter(lun -> resting.against(lun, volume, initiators, open::contains).isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                DirectoryChanges.refused(
                    Reason.EXHAUSTED, "all plain LUNs are taken or rest after an unexport"));
  }

  /// Numbers in the order in which they are given out: from the last one on, then from the least.
  private static IntStream ring(int least, int most, int last) {
    int start = last >= least && last < most ? last + 1 : least;
    return IntStream.concat(IntStream.rangeClosed(start, most), IntStream.range(least, start));
  }

  private static int requireNumber(int lun) {
    if (lun < 0 || lun > LARGEST) {
      throw DirectoryChanges.refused(Reason.INVALID, "expected a LUN from 0 to 16383, got " + lun);
    }
    return lun;
  }

  private void requireFree(int lun, Set<String> initiators) {
    for (String name : initiators) {
      Optional<Export> other = state.exportAt(lun, name);
      if (other.isPresent()) {
        throw RefusedException.becauseOf(
            other.get().volume(),
            Reason.IN_USE,
            "LUN %d is taken by volume %s for initiator %s"
                .formatted(lun, other.get().volume(), name));
      }
    }
  }

  /// @throws RefusedException if the number of an export names another volume for an initiator that
  ///   is to reach it, or rests for it
  void requireFree(Export export, String initiator) {
    requireFree(export.lun(), Set.of(initiator));
    ExportRequest request =
        new ExportRequest(
            export.volume(),
            Optional.of(export.lun()),
            export.readOnly(),
            Set.of(initiator),
            false);
    requireRested(export.lun(), request, request.initiators(), openPorts());
  }

  /// @return the rests that are ended by force
  private List<Rest> requireRested(
      int lun, ExportRequest request, Set<String> initiators, Set<InitiatorPort> open) {
    List<Rest> rests = resting.against(lun, request.volume(), initiators, open::contains);
    for (Rest rest : rests) {
      List<OpenSession> holders = holders(rest);
      if (!request.force() || !holders.isEmpty()) {
        throw RefusedException.becauseOf(rest.volume(), Reason.RESTING, refusal(rest, holders));
      }
    }
    return rests;
  }

  private String refusal(Rest rest, List<OpenSession> holders) {
    String sessions =
        holders.isEmpty()
            ? ""
            : " and until its open sessions have ended: "
                + holders.stream().map(OpenSession::toString).collect(Collectors.joining(", "));
    return ("LUN %d rests for initiator %s at least until %s%s; volume %s (%s) was exported there, and"
            + " a host that has not noticed that this ended would write to another volume. Expected"
            + " no number, for the next one, or force, once the sessions have ended")
        .formatted(
            rest.lun(),
            rest.initiator(),
            changes.wallClock().plus(resting.left(rest)),
            sessions,
            rest.volume(),
            changes.settings().identity().addressOf(rest.volume()).text());
  }

  private List<OpenSession> holders(Rest rest) {
    return reachability.sessions(0).stream()
        .filter(it -> it.initiator().name().equals(rest.initiator()))
        .filter(it -> rest.isids().contains(it.initiator().isid()))
        .toList();
  }

  private Set<InitiatorPort> openPorts() {
    return reachability.sessions(0).stream()
        .map(OpenSession::initiator)
        .collect(Collectors.toSet());
  }

  /// The rests that begin when an export ends. Sessions that an earlier end of an export of the
  /// same volume at the same number left are kept.
  ///
  /// @param freed by the pool's time
  List<Rest> restsOf(Export export, Instant freed) {
    List<OpenSession> sessions = reachability.sessions(0);
    List<Rest> rests = new ArrayList<>();
    for (String initiator : export.initiators()) {
      Set<Long> isids = new HashSet<>();
      sessions.stream()
          .map(OpenSession::initiator)
          .filter(port -> port.name().equals(initiator))
          .forEach(port -> isids.add(port.isid()));
      resting
          .find(export.lun(), export.volume(), initiator)
          .ifPresent(before -> isids.addAll(before.isids()));
      Set<Long> bounded = isids.stream().limit(MOST_ISIDS).collect(Collectors.toSet());
      rests.add(new Rest(export.lun(), export.volume(), initiator, freed, bounded));
    }
    return rests;
  }

  /// Open sessions that could reach an export which has ended.
  List<OpenSession> sessionsOf(Export export) {
    return export.initiators().stream()
        .flatMap(name -> resting.find(export.lun(), export.volume(), name).stream())
        .flatMap(rest -> holders(rest).stream())
        .toList();
  }

  /// Follows the records of some rests.
  void refresh(List<Rest> some) {
    for (Rest rest : some) {
      resting.find(rest.lun(), rest.volume(), rest.initiator()).ifPresent(resting::remove);
      changes.records().restOf(rest.lun(), rest.volume(), rest.initiator()).ifPresent(resting::put);
    }
  }
}
