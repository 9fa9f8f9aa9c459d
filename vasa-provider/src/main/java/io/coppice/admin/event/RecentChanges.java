package io.coppice.admin.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Changes in their order, numbered from 1, of which the last ones are kept. Its owner guards it.
final class RecentChanges<T> {

  private static final int KEPT = 1000;

  private final Deque<Numbered<T>> changes = new ArrayDeque<>();
  private long last;

  /// @param number counts changes from 1
  private record Numbered<T>(long number, T change) {}

  void add(T change) {
    changes.add(new Numbered<>(++last, change));
    if (changes.size() > KEPT) {
      changes.remove();
    }
  }

  /// The number of the last change; 0 before the first.
  long last() {
    return last;
  }

  /// The kept changes after one, in their order.
  List<T> after(long number) {
    List<T> later = new ArrayList<>();
    for (Numbered<T> change : changes) {
      if (change.number() > number) {
        later.add(change.change());
      }
    }
    return later;
  }
}
