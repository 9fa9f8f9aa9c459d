package io.coppice.vasa.sort;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The order of a list, and where a part of it begins.
///
/// @param field that it is sorted by, as REST calls it
/// @param descending whether the largest comes first
/// @param after the place of the last item before the part; null for the beginning
public record RowOrder(String field, boolean descending, @Nullable Mark after) {

  /// An item's place. No two items of a list have the same one.
  ///
  /// @param key of the field, as [SortKind] writes it
  /// @param id which decides between equal keys, in the same direction
  public record Mark(String key, String id) implements Comparable<Mark> {

    private static final Comparator<Mark> ORDER =
        Comparator.comparing(Mark::key).thenComparing(Mark::id);

    @Override
    public int compareTo(Mark other) {
      return ORDER.compare(this, other);
    }
  }

  /// From the smallest on.
  public static RowOrder by(String field) {
    return new RowOrder(field, false, null);
  }

  /// The order of places, beginning with the first.
  public Comparator<Mark> places() {
    return descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
  }

  /// The same order from behind another place on.
  public RowOrder from(Mark place) {
    return new RowOrder(field, descending, place);
  }
}
