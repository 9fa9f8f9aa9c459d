package io.coppice.vasa.history.file;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Consecutive slots of one step, with the records of some keys. A slot that was recorded and has
/// no record of a key tells that the object was idle; a slot that was not is a gap.
public final class Stretch {

  private final HistoryStep step;
  private final long from;
  private final int[] millis;
  private final Map<Long, short[] @Nullable []> records = new HashMap<>();
  private final Map<Long, BitSet> damaged = new HashMap<>();

  Stretch(HistoryStep step, long from, long to, Collection<Long> keys) {
    this.step = step;
    this.from = from;
    this.millis = new int[Math.toIntExact(Math.max(0, to - from))];
    for (long key : keys) {
      records.put(key, new short[millis.length][]);
      damaged.put(key, new BitSet());
    }
  }

  /// Slots of which nothing is known.
  public static Stretch unknown(HistoryStep step, long from, long to) {
    return new Stretch(step, from, to, List.of());
  }

  public HistoryStep step() {
    return step;
  }

  /// The number of its first slot.
  public long from() {
    return from;
  }

  /// How many slots it has.
  public int length() {
    return millis.length;
  }

  /// How much time the records of a place cover, in milliseconds; 0 for a gap.
  public int millis(int place) {
    return millis[place];
  }

  /// Whether what a key did in a slot is known.
  public boolean isKnown(long key, int place) {
    BitSet bad = damaged.get(key);
    return millis[place] > 0 && bad != null && !bad.get(place);
  }

  /// The words of a key in a slot; null if there are none.
  public short @Nullable [] words(long key, int place) {
    short[] @Nullable [] own = records.get(key);
    return own == null ? null : own[place];
  }

  void add(long slot, Row row) {
    int place = (int) (slot - from);
    millis[place] = row.millis();
    for (Map.Entry<Long, short[] @Nullable []> one : records.entrySet()) {
      short[] @Nullable [] slots = one.getValue();
      slots[place] = row.find(one.getKey());
    }
  }

  /// Adds the slots of a segment that are in this stretch.
  void add(SegmentReader segment, long first) {
    int[] covered = segment.millis();
    if (covered == null) {
      return;
    }
    int skipped = (int) Math.max(0, from - first);
    int begin = (int) Math.max(0, first - from);
    int count = Math.min(covered.length - skipped, millis.length - begin);
    for (int i = 0; i < count; i++) {
      millis[begin + i] = covered[skipped + i];
    }
    for (Map.Entry<Long, short[] @Nullable []> one : records.entrySet()) {
      short[] @Nullable [] slots = one.getValue();
      short @Nullable [] @Nullable [] found = segment.find(one.getKey());
      for (int i = 0; i < count && found != null; i++) {
        slots[begin + i] = found[skipped + i];
      }
      BitSet bad = damaged.get(one.getKey());
      if (found == null && bad != null) {
        bad.set(begin, begin + count);
      }
    }
  }
}
