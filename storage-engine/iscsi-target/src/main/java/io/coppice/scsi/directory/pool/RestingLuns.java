package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.transport.InitiatorPort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Plain numbers that were freed and rest, each for an initiator that could reach the volume there.
///
/// A host that does not notice an unexport keeps its disk open and writes to the number. So the
/// number names no other volume for that initiator for a time, and as long as one of its initiator
/// ports of that time is logged in. A session that is cut and comes back is the same host with the
/// same open disks. The volume itself may come back: a late write then reaches the disk that it was
/// meant for.
///
/// Not safe for threads: guarded by the directory's lock.
final class RestingLuns {

  private static final Comparator<Key> ORDER =
      Comparator.comparing(Key::volume).thenComparing(Key::initiator);

  private final Duration atLeast;
  private final PoolTime time;
  private final Map<Integer, Map<Key, Rest>> byLun = new TreeMap<>();

  private record Key(VolumeId volume, String initiator) {}

  /// @param freed by the pool's time
  /// @param isids of the sessions that were open then
  record Rest(int lun, VolumeId volume, String initiator, Instant freed, Set<Long> isids) {

    Rest {
      isids = Set.copyOf(isids);
    }

    private Key key() {
      return new Key(volume, initiator);
    }

    private boolean isHeldBy(Predicate<InitiatorPort> isOpen) {
      return isids.stream().anyMatch(isid -> isOpen.test(new InitiatorPort(initiator, isid)));
    }
  }

  RestingLuns(Collection<Rest> all, Duration atLeast, PoolTime time) {
    this.atLeast = atLeast;
    this.time = time;
    all.forEach(this::put);
  }

  /// Replaces the rest of the same number, volume and initiator.
  void put(Rest rest) {
    byLun.computeIfAbsent(rest.lun(), _ -> new TreeMap<>(ORDER)).put(rest.key(), rest);
  }

  void remove(Rest rest) {
    byLun.computeIfPresent(
        rest.lun(),
        (_, rests) -> {
          rests.remove(rest.key(), rest);
          return rests.isEmpty() ? null : rests;
        });
  }

  boolean isEmpty() {
    return byLun.isEmpty();
  }

  /// Whether a number rests for the initiator, without those that are given.
  boolean anyRests(String initiator, Collection<Rest> without) {
    return byLun.values().stream()
        .flatMap(rests -> rests.values().stream())
        .anyMatch(rest -> rest.initiator().equals(initiator) && !without.contains(rest));
  }

  Optional<Rest> find(int lun, VolumeId volume, String initiator) {
    return Optional.ofNullable(byLun.getOrDefault(lun, Map.of()).get(new Key(volume, initiator)));
  }

  /// The rests of other volumes that keep a number from naming a volume for initiators.
  List<Rest> against(
      int lun, VolumeId volume, Set<String> initiators, Predicate<InitiatorPort> isOpen) {
    return byLun.getOrDefault(lun, Map.of()).values().stream()
        .filter(rest -> initiators.contains(rest.initiator()) && !rest.volume().equals(volume))
        .filter(rest -> !isOver(rest, isOpen))
        .toList();
  }

  private boolean isOver(Rest rest, Predicate<InitiatorPort> isOpen) {
    return left(rest).isZero() && !rest.isHeldBy(isOpen);
  }

  /// The time that is left of it; zero if only sessions hold it.
  Duration left(Rest rest) {
    Duration left = Duration.between(time.now(), rest.freed().plus(atLeast));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /// Rests that are over.
  List<Rest> over(int most, Predicate<InitiatorPort> isOpen) {
    List<Rest> over = new ArrayList<>();
    for (Map<Key, Rest> rests : byLun.values()) {
      for (Rest rest : rests.values()) {
        if (over.size() < most && isOver(rest, isOpen)) {
          over.add(rest);
        }
      }
    }
    return over;
  }
}
