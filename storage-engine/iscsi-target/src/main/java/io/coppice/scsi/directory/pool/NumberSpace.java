package io.coppice.scsi.directory.pool;

import io.coppice.scsi.transport.InitiatorPort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The subsidiary numbers of each protocol endpoint: which are taken, and which rest after being
/// freed.
///
/// A number rests after it was freed, so that a host that has not yet noticed an unbind cannot
/// reach another volume by it. If the host did not unbind itself, sessions hold the number as well.
/// Not safe for threads: guarded by the directory's lock.
final class NumberSpace {

  private final int largest;
  private final Duration rest;

  /// Numbers that sessions hold, by endpoint. Sessions of one moment share a set of numbers, since
  /// they live long and places that end by force end in groups.
  private final Map<Integer, Map<Set<InitiatorPort>, NumberSet>> held = new TreeMap<>();

  private final Map<Integer, NumberSet> taken = new TreeMap<>();
  private final Map<Integer, Map<Integer, Instant>> resting = new TreeMap<>();

  /// @param largest number to give out
  /// @param rest how long a freed number is not given out
  NumberSpace(int largest, Duration rest) {
    this.largest = largest;
    this.rest = rest;
  }

  /// The lowest number that is neither taken nor held nor resting, or 0 if there is none.
  ///
  /// @param isOpen whether an initiator port is logged in
  int lowestFree(int endpoint, Instant now, Predicate<InitiatorPort> isOpen) {
    Map<Integer, Instant> freed = resting.getOrDefault(endpoint, Map.of());
    NumberSet own = taken.getOrDefault(endpoint, new NumberSet());
    Map<Set<InitiatorPort>, NumberSet> holders = held.getOrDefault(endpoint, new HashMap<>());
    holders.keySet().removeIf(ports -> ports.stream().noneMatch(isOpen));
    for (int page = 0; page <= largest / NumberSet.PAGE; page++) {
      BitSet inUse = new BitSet(NumberSet.PAGE);
      own.addPageTo(page, inUse);
      for (NumberSet each : holders.values()) {
        each.addPageTo(page, inUse);
      }
      int first = page == 0 ? 1 : 0;
      for (int bit = inUse.nextClearBit(first);
          bit < NumberSet.PAGE;
          bit = inUse.nextClearBit(bit + 1)) {
        int number = page * NumberSet.PAGE + bit;
        if (number > largest) {
          return 0;
        }
        if (!rests(freed.get(number), now)) {
          return number;
        }
      }
    }
    return 0;
  }

  private boolean rests(@Nullable Instant freed, Instant now) {
    return freed != null && now.isBefore(freed.plus(rest));
  }

  /// Keeps a number, beside its rest, as long as one of those ports is logged in: its host did not
  /// give it up itself.
  void hold(int endpoint, int number, Set<InitiatorPort> ports) {
    if (!ports.isEmpty()) {
      held.computeIfAbsent(endpoint, _ -> new HashMap<>())
          .computeIfAbsent(Set.copyOf(ports), _ -> new NumberSet())
          .add(number);
    }
  }

  boolean anyRests() {
    return resting.values().stream().anyMatch(numbers -> !numbers.isEmpty());
  }

  int countTaken(int endpoint) {
    return taken.getOrDefault(endpoint, new NumberSet()).size();
  }

  void take(int endpoint, int number) {
    taken.computeIfAbsent(endpoint, _ -> new NumberSet()).add(number);
    resting.getOrDefault(endpoint, new TreeMap<>()).remove(number);
  }

  void free(int endpoint, int number, Instant when) {
    taken.computeIfAbsent(endpoint, _ -> new NumberSet()).remove(number);
    resting.computeIfAbsent(endpoint, _ -> new TreeMap<>()).put(number, when);
  }

  /// Takes numbers that have rested long enough out of the quarantine; at most `most`.
  List<DirectoryRecords.Freed> wakeUp(int endpoint, Instant now, int most) {
    List<DirectoryRecords.Freed> awake = new ArrayList<>();
    Map<Integer, Instant> freedAt = resting.getOrDefault(endpoint, new TreeMap<>());
    for (Map.Entry<Integer, Instant> entry : freedAt.entrySet()) {
      if (awake.size() < most && !rests(entry.getValue(), now)) {
        awake.add(new DirectoryRecords.Freed(endpoint, entry.getKey(), entry.getValue()));
      }
    }
    awake.forEach(freed -> freedAt.remove(freed.number()));
    return awake;
  }
}
