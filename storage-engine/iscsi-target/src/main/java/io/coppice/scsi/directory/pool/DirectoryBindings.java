package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.OpenSession;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The directory's bindings, and the subsidiary numbers they use.
final class DirectoryBindings {

  private static final int CHANGES_PER_RECORD = 256;

  /// Any endpoint: they have one target.
  private static final int ENDPOINTS = 1;

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final DirectoryListener reachability;
  private final AccessRevocations departures;

  DirectoryBindings(
      DirectoryChanges changes, DirectoryListener reachability, AccessRevocations departures) {
    this.changes = changes;
    this.state = changes.state();
    this.reachability = reachability;
    this.departures = departures;
  }

  Binding bind(OperationId operation, HostId host, VolumeId volume, Set<Integer> seenEndpoints) {
    Binding bound =
        changes.once(
            operation,
            Binding.class,
            () -> {
              requireBindable(host, volume);
              List<RecordChange> list = new ArrayList<>();
              Binding wanted = nextBinding(host, volume, seenEndpoints, list);
              list.add(DirectoryRecords.put(wanted));
              changes.apply(operation, list);
              state.refreshBindings(volume, changes.now());
              return state.bindingOf(host, volume).orElse(wanted);
            });
    if (bound.count() == 1) {
      try (var _ = changes.locked()) {
        if (state.bindingOf(host, volume).isPresent()) { // else it has gone again
          reachability.appeared(volume, bound.endpoint().lun(), state.initiatorsOf(host));
        }
      }
    }
    return bound;
  }

  private void requireBindable(HostId host, VolumeId volume) {
    if (!state.isDeclared(host)) {
      throw DirectoryChanges.refused(Reason.UNKNOWN, "host %s is not declared".formatted(host));
    }
    changes.require(volume);
    if (state.exportOf(volume).isPresent()) {
      throw DirectoryChanges.refused(
          Reason.IN_USE, "volume %s is exported as a plain LUN".formatted(volume));
    }
  }

  /// @param list receives the removal of records about numbers that have rested
  private Binding nextBinding(
      HostId host, VolumeId volume, Set<Integer> seen, List<RecordChange> list) {
    Optional<Binding> mine = state.bindingOf(host, volume);
    if (mine.isPresent()) {
      return withCount(mine.get(), mine.get().count() + 1);
    }
    return newPlace(host, volume, seen, list);
  }

  /// @param list as in [#nextBinding]
  private Binding newPlace(
      HostId host, VolumeId volume, Set<Integer> seen, List<RecordChange> list) {
    List<ProtocolEndpoint> candidates = state.candidates(seen);
    if (candidates.isEmpty()) {
      throw DirectoryChanges.refused(
          Reason.UNKNOWN, "no protocol endpoint in service has one of the LUNs " + seen);
    }
    Optional<Binding> others =
        state.bindingsOf(volume).stream()
            .filter(b -> candidates.contains(b.endpoint()))
            .findFirst();
    if (others.isPresent()) {
      Binding like = others.get();
      return new Binding(host, volume, like.endpoint(), like.subsidiary(), like.secondaryId(), 1);
    }
    Instant now = changes.now();
    for (ProtocolEndpoint endpoint : candidates) {
      state
          .numbers()
          .wakeUp(endpoint.lun(), now, CHANGES_PER_RECORD)
          .forEach(freed -> list.add(DirectoryRecords.remove(freed)));
      int number = state.numbers().lowestFree(endpoint.lun(), now, openPorts()::contains);
      if (number != 0) {
        String text = changes.settings().directory().secondaryIds().text(number);
        return new Binding(host, volume, endpoint, number, text, 1);
      }
    }
    throw DirectoryChanges.refused(
        Reason.EXHAUSTED, "all subsidiary numbers are taken or rest after an unbind");
  }

  private Set<InitiatorPort> openPorts() {
    return reachability.sessions(ENDPOINTS).stream()
        .map(OpenSession::initiator)
        .collect(Collectors.toSet());
  }

  /// Keeps the numbers of places that a host lost without asking for it, as long as its present
  /// sessions are open. A host that unbinds says itself that it is done.
  void hold(List<Binding> places, Set<String> initiators) {
    Set<InitiatorPort> ports =
        openPorts().stream()
            .filter(port -> initiators.contains(port.name()))
            .collect(Collectors.toSet());
    places.forEach(b -> state.numbers().hold(b.endpoint().lun(), b.subsidiary(), ports));
  }

  private static Binding withCount(Binding b, int count) {
    return new Binding(b.host(), b.volume(), b.endpoint(), b.subsidiary(), b.secondaryId(), count);
  }

  /// Moves a binding whose endpoint is out of service to another endpoint. The place that it leaves
  /// goes on answering the host until [#leave]. One record names both places.
  Binding rebind(OperationId operation, HostId host, VolumeId volume, Set<Integer> seenEndpoints) {
    Binding moved =
        changes.once(
            operation,
            Binding.class,
            () -> {
              Binding mine =
                  state
                      .bindingOf(host, volume)
                      .orElseThrow(
                          () ->
                              DirectoryChanges.refused(
                                  Reason.UNKNOWN,
                                  "host %s has not bound volume %s".formatted(host, volume)));
              if (state.formerOf(host, volume).isPresent()
                  || !state.retired().containsKey(mine.endpoint().lun())) {
                return mine;
              }
              List<RecordChange> list = new ArrayList<>();
              Binding next = withCount(newPlace(host, volume, seenEndpoints, list), mine.count());
              list.add(DirectoryRecords.put(next));
              list.add(DirectoryRecords.putFormer(mine));
              changes.apply(operation, list);
              state.refreshBindings(volume, changes.now());
              return state.bindingOf(host, volume).orElse(next);
            });
    try (var _ = changes.locked()) {
      if (state.formerOf(host, volume).isPresent()) { // else it was left meanwhile
        reachability.appeared(volume, moved.endpoint().lun(), state.initiatorsOf(host));
      }
    }
    return moved;
  }

  /// Ends the place that a binding moved from.
  ///
  /// @return whether there was one
  boolean leave(OperationId operation, HostId host, VolumeId volume) {
    Unbound left =
        changes.once(
            operation,
            Unbound.class,
            () -> {
              Optional<Binding> former = state.formerOf(host, volume);
              if (former.isEmpty()) {
                return Unbound.NOTHING;
              }
              List<RecordChange> list = new ArrayList<>();
              list.add(DirectoryRecords.removeFormer(former.get()));
              boolean shared =
                  state.placesOf(volume).stream()
                      .anyMatch(
                          b -> DirectoryState.samePlace(b, former.get()) && !b.host().equals(host));
              if (!shared) {
                list.add(DirectoryRecords.put(freed(former.get(), changes.now())));
                list.add(changes.time().kept());
              }
              changes.apply(operation, list);
              state.refreshBindings(volume, changes.now());
              boolean gone = state.formerOf(host, volume).isEmpty();
              return new Unbound(true, gone ? List.of(left(former.get())) : List.of());
            });
    departures.finish(left.departures());
    return left.any();
  }

  private AccessRevocations.Begun left(Binding former) {
    return departures.left(
        former.volume(),
        former.endpoint().lun(),
        former.subsidiary(),
        state.initiatorsOf(former.host()));
  }

  private static DirectoryRecords.Freed freed(Binding binding, Instant now) {
    return new DirectoryRecords.Freed(binding.endpoint().lun(), binding.subsidiary(), now);
  }

  boolean unbind(OperationId operation, HostId host, VolumeId volume) {
    Unbound unbound =
        changes.once(
            operation,
            Unbound.class,
            () -> {
              Optional<Binding> mine = state.bindingOf(host, volume);
              if (mine.isEmpty()) {
                return Unbound.NOTHING;
              }
              if (mine.get().count() > 1) {
                Binding less = withCount(mine.get(), mine.get().count() - 1);
                changes.apply(operation, List.of(DirectoryRecords.put(less)));
                state.refreshBindings(volume, changes.now());
                return new Unbound(true, List.of());
              }
              List<Binding> places = withFormer(List.of(mine.get()));
              end(operation, List.of(mine.get()), List.of());
              boolean ended = state.bindingOf(host, volume).isEmpty();
              return new Unbound(
                  true, ended ? disappeared(places, state.initiatorsOf(host)) : List.of());
            });
    departures.finish(unbound.departures());
    return unbound.any();
  }

  private record Unbound(boolean any, List<AccessRevocations.Begun> departures) {
    private static final Unbound NOTHING = new Unbound(false, List.of());
  }

  private List<AccessRevocations.Begun> disappeared(List<Binding> places, Set<String> initiators) {
    return places.stream()
        .map(b -> departures.disappeared(b.volume(), b.endpoint().lun(), initiators))
        .toList();
  }

  List<Binding> unbindAll(OperationId operation, HostId host) {
    return end(operation, () -> state.bindingsOf(host), List.of(), _ -> List.of());
  }

  List<Binding> unbindFrom(OperationId operation, VolumeId volume, Predicate<HostId> hosts) {
    return end(
        operation,
        () -> state.bindingsOf(volume).stream().filter(b -> hosts.test(b.host())).toList(),
        List.of(),
        places -> {
          places.forEach(b -> hold(List.of(b), state.initiatorsOf(b.host())));
          return List.of();
        });
  }

  /// Bindings, each followed by the place that it moved from, if it has not been left.
  private List<Binding> withFormer(List<Binding> all) {
    return all.stream()
        .flatMap(b -> Stream.concat(Stream.of(b), state.formerOf(b.host(), b.volume()).stream()))
        .toList();
  }

  /// Ends bindings, and the places that they moved from. Returns when their hosts' commands there
  /// have ended.
  ///
  /// @param more other changes of the same record
  /// @param after the further steps in memory after the record; told the ended places, and who
  ///   departs
  /// @return the bindings and places that ended
  List<Binding> end(
      OperationId operation,
      Supplier<List<Binding>> which,
      List<RecordChange> more,
      Function<List<Binding>, List<AccessRevocations.Begun>> after) {
    Ended ended =
        changes.once(
            operation,
            Ended.class,
            () -> {
              List<Binding> found = which.get();
              List<Binding> places = withFormer(found);
              end(operation, found, more);
              // A repeat from before a restart ends nothing: bindings made since are still there.
              List<Binding> gone =
                  places.stream()
                      .filter(b -> state.bindingOf(b.host(), b.volume()).isEmpty())
                      .toList();
              List<AccessRevocations.Begun> begun = new ArrayList<>();
              gone.forEach(
                  b -> begun.addAll(disappeared(List.of(b), state.initiatorsOf(b.host()))));
              begun.addAll(after.apply(gone)); // last: it may take the names away
              return new Ended(gone, begun);
            });
    departures.finish(ended.departures());
    return ended.bindings();
  }

  private record Ended(List<Binding> bindings, List<AccessRevocations.Begun> departures) {}

  /// Removes bindings from the pool, a number of volumes per record, and follows in memory. The
  /// last record carries the operation's own id. Those before it carry ids made from it and from
  /// the binding that they end with. So an operation that is repeated after a crash between two of
  /// them goes on.
  private void end(OperationId operation, List<Binding> all, List<RecordChange> more) {
    Instant now = changes.now();
    List<RecordChange> list = new ArrayList<>(more);
    Map<VolumeId, Set<HostId>> leaving = new TreeMap<>();
    all.forEach(b -> leaving.computeIfAbsent(b.volume(), _ -> new TreeSet<>()).add(b.host()));
    for (Binding binding : all) {
      list.add(DirectoryRecords.remove(binding));
      state
          .formerOf(binding.host(), binding.volume())
          .ifPresent(former -> list.add(DirectoryRecords.removeFormer(former)));
      for (Binding place : withFormer(List.of(binding))) {
        boolean stays =
            state.placesOf(place.volume()).stream()
                .anyMatch(
                    b ->
                        DirectoryState.samePlace(b, place)
                            && !leaving.getOrDefault(b.volume(), Set.of()).contains(b.host()));
        if (!stays) {
          list.add(DirectoryRecords.put(freed(place, now)));
        }
      }
      if (list.size() >= CHANGES_PER_RECORD) {
        changes.apply(partOf(operation, binding), list);
        list.clear();
      }
    }
    if (!list.isEmpty()) {
      list.add(changes.time().kept());
    }
    changes.apply(operation, list);
    leaving.keySet().forEach(volume -> state.refreshBindings(volume, now));
  }

  /// @param last the binding with which the part's record ends; after a crash the parts that are
  ///   left differ from the first ones and must not be taken for them
  private static OperationId partOf(OperationId operation, Binding last) {
    String name = operation + "/" + last.volume() + "/" + last.host();
    return new OperationId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }
}
