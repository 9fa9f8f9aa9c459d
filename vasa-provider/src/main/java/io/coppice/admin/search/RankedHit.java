package io.coppice.admin.search;

import io.coppice.api.search.SearchHit;
import java.util.Comparator;

/// An object that was found, and how well it matches.
///
/// @param rank as in [SearchedText]
record RankedHit(SearchHit hit, int rank) {

  /// The best first; of equal ones the shortest name, then by name, type and id.
  static final Comparator<RankedHit> BEST =
      Comparator.comparingInt(RankedHit::rank)
          .thenComparingInt(one -> nameOf(one).length())
          .thenComparing(RankedHit::nameOf)
          .thenComparing(one -> one.hit().type())
          .thenComparing(one -> one.hit().id());

  private static String nameOf(RankedHit one) {
    String name = one.hit().name();
    return name == null ? "" : name;
  }
}
