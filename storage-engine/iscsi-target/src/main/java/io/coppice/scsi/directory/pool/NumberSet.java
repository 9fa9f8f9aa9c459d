package io.coppice.scsi.directory.pool;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// A set of numbers from 0 on, in pages: one large number takes one page, not all before it.
final class NumberSet {

  /// Numbers of a page.
  static final int PAGE = 4096;

  private final Map<Integer, BitSet> pages = new HashMap<>();

  void add(int number) {
    pages.computeIfAbsent(number / PAGE, _ -> new BitSet(PAGE)).set(number % PAGE);
  }

  void remove(int number) {
    pages.computeIfPresent(
        number / PAGE,
        (_, page) -> {
          page.clear(number % PAGE);
          return page.isEmpty() ? null : page;
        });
  }

  int size() {
    return pages.values().stream().mapToInt(BitSet::cardinality).sum();
  }

  /// Adds the numbers of a page to a set: number n of the set is n of that page.
  void addPageTo(int page, BitSet numbers) {
    BitSet own = pages.get(page);
    if (own != null) {
      numbers.or(own);
    }
  }
}
