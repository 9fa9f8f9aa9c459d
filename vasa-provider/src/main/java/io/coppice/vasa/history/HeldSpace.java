package io.coppice.vasa.history;

import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import org.jspecify.annotations.Nullable;

/// The space of one volume in each slot, from its recorded changes. A change holds until the next
/// one; what was before the first one, that one tells. After a gap the space is unknown until the
/// next change, which tells what was before it. A change that does not follow from the one before
/// means that one between them was lost, and nobody knows when it came.
final class HeldSpace {

  private static final double KIB = 1024;
  private static final int BEFORE = 2;

  private HeldSpace() {}

  /// @param place 0 for what is mapped, 1 for what is unique
  /// @param after the space after the last slot, in bytes; null if it is not known
  static @Nullable Double[] of(Stretch stretch, long key, int place, @Nullable Double after) {
    @Nullable Double[] values = new Double[stretch.length()];
    int open = 0; // from here on the space is not known yet
    short[] held = null;
    for (int i = 0; i < values.length; i++) {
      short[] words = stretch.words(key, i);
      if (!stretch.isKnown(key, i)) {
        held = null;
        open = i + 1;
      } else if (words != null) {
        boolean leapt = held != null && held[place] != words[place + BEFORE];
        for (int earlier = open; earlier < i && (held == null || leapt); earlier++) {
          values[earlier] = leapt ? null : bytes(words, place + BEFORE);
        }
        held = words;
        open = i + 1;
      }
      values[i] = held == null ? null : bytes(held, place);
    }
    for (int i = open; i < values.length && held == null; i++) {
      values[i] = after;
    }
    return values;
  }

  private static double bytes(short[] words, int place) {
    return Record.figures(words)[place] * KIB;
  }
}
