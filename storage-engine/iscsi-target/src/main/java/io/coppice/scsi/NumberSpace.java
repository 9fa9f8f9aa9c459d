package io.coppice.scsi;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Subsidiary numbers per protocol endpoint: which are taken and which rest after being freed.
///
/// A number rests for [#QUARANTINE], so that a host that has not yet noticed an unbind cannot reach
/// another volume by it. Not safe for threads: guarded by the directory's lock.
final class NumberSpace {

  static final Duration QUARANTINE = Duration.ofHours(24);

  private final int largest;
  private final Map<Integer, BitSet> taken = new TreeMap<>();
  private final Map<Integer, Map<Integer, Instant>> resting = new TreeMap<>();

  /// @param largest number to give out
  NumberSpace(int largest) {
    this.largest = largest;
  }

  /// The lowest number that is neither taken nor resting, or 0 if there is none.
  int lowestFree(int endpoint, Instant now) {
    Map<Integer, Instant> rest = resting.getOrDefault(endpoint, Map.of());
    BitSet inUse = taken.getOrDefault(endpoint, new BitSet());
    int number = inUse.nextClearBit(1);
    while (number <= largest && rests(rest.get(number), now)) {
      number = inUse.nextClearBit(number + 1);
    }
    return number <= largest ? number : 0;
  }

  private static boolean rests(@Nullable Instant freed, Instant now) {
    return freed != null && now.isBefore(freed.plus(QUARANTINE));
  }

  int countTaken(int endpoint) {
    return taken.getOrDefault(endpoint, new BitSet()).cardinality();
  }

  void take(int endpoint, int number) {
    taken.computeIfAbsent(endpoint, _ -> new BitSet()).set(number);
    resting.getOrDefault(endpoint, new TreeMap<>()).remove(number);
  }

  void free(int endpoint, int number, Instant when) {
    taken.computeIfAbsent(endpoint, _ -> new BitSet()).clear(number);
    resting.computeIfAbsent(endpoint, _ -> new TreeMap<>()).put(number, when);
  }

  /// Numbers that have rested long enough, taken out of the quarantine; at most `most`.
  List<DirectoryRecords.Freed> wakeUp(int endpoint, Instant now, int most) {
    List<DirectoryRecords.Freed> awake = new ArrayList<>();
    Map<Integer, Instant> rest = resting.getOrDefault(endpoint, new TreeMap<>());
    for (Map.Entry<Integer, Instant> entry : rest.entrySet()) {
      if (awake.size() < most && !rests(entry.getValue(), now)) {
        awake.add(new DirectoryRecords.Freed(endpoint, entry.getKey(), entry.getValue()));
      }
    }
    awake.forEach(freed -> rest.remove(freed.number()));
    return awake;
  }
}
