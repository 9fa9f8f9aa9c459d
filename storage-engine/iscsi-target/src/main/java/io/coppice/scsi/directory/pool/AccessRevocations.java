package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The departures under way: the initiators that lost a volume and may still have commands there.
///
/// A change that takes something away begins its departures in the step that changes the records,
/// under the directory's lock. So nobody can come back in between. It then waits without the lock,
/// since a device may be slow. Before it ends anything more, it asks the directory again, under the
/// lock: an initiator that came back meanwhile keeps what it has.
final class AccessRevocations {

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final DirectoryListener reachability;
  private final ConcurrentHashMap<VolumeId, Set<Begun>> underWay = new ConcurrentHashMap<>();

  AccessRevocations(DirectoryChanges changes, DirectoryListener reachability) {
    this.changes = changes;
    this.state = changes.state();
    this.reachability = reachability;
  }

  /// A departure that has begun. Kept with the result of its operation: a repeat waits too.
  static final class Begun {
    private final Optional<VolumeId> volume;
    private final int endpoint;
    private volatile @Nullable AccessRevocation departure; // null when it is over

    private Begun(Optional<VolumeId> volume, int endpoint, AccessRevocation departure) {
      this.volume = volume;
      this.endpoint = endpoint;
      this.departure = departure;
    }
  }

  /// Initiators lost a volume. Called with the lock, after the record.
  ///
  /// @param endpoint 0 for a plain unit
  Begun disappeared(VolumeId volume, int endpoint, Set<String> initiators) {
    return begun(volume, endpoint, reachability.disappeared(volume, endpoint, initiators));
  }

  /// Initiators lost one of two places at which they reach a volume. Called with the lock.
  Begun left(VolumeId volume, int endpoint, int number, Set<String> initiators) {
    return begun(volume, endpoint, reachability.left(volume, endpoint, number, initiators));
  }

  /// Initiators lost every protocol endpoint. Called with the lock.
  Begun expelled(Set<String> initiators) {
    return new Begun(Optional.empty(), 0, reachability.expelled(initiators));
  }

  /// Every initiator lost a protocol endpoint. Called with the lock.
  Begun removed(int endpoint) {
    return new Begun(Optional.empty(), 0, reachability.endpointRemoved(endpoint));
  }

  private Begun begun(VolumeId volume, int endpoint, AccessRevocation departure) {
    Begun begun = new Begun(Optional.of(volume), endpoint, departure);
    underWay.computeIfAbsent(volume, _ -> ConcurrentHashMap.newKeySet()).add(begun);
    return begun;
  }

  /// Whether initiators that lost the volume have commands there.
  boolean isBeingLeft(VolumeId volume) {
    return underWay.containsKey(volume);
  }

  /// The departures from a volume that are under way.
  List<Begun> from(VolumeId volume) {
    return List.copyOf(underWay.getOrDefault(volume, Set.of()));
  }

  /// Returns when the last command of all those departures has ended, and what they held with it.
  /// Called without the lock.
  void finish(Collection<Begun> all) {
    for (Begun begun : List.copyOf(all)) {
      AccessRevocation departure = begun.departure;
      if (departure != null) {
        departure.await();
        try (var _ = changes.locked()) {
          settle(begun);
        }
      }
    }
  }

  private void settle(Begun begun) {
    AccessRevocation departure = begun.departure;
    if (departure == null) {
      return; // by a repeat of the operation
    }
    begun.departure = null;
    if (begun.volume.isEmpty()) {
      departure.settle(_ -> false);
      return;
    }
    VolumeId volume = begun.volume.get();
    departure.settle(
        name -> begun.endpoint == 0 ? state.exportsTo(name, volume) : state.bindsFor(name, volume));
    underWay.computeIfPresent(
        volume,
        (_, others) -> {
          others.remove(begun);
          return others.isEmpty() ? null : others;
        });
    // Not while commands still run: they would end at a unit that nobody looks at any more.
    if (!isBeingLeft(volume) && !state.isUsed(volume)) {
      reachability.unused(volume);
    }
  }
}
