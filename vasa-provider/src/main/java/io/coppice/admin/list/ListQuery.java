package io.coppice.admin.list;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.RowOrder.Mark;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A client's request for one part of a list.
///
/// @param sort one of the list's [Orders], perhaps with a `-` for the reverse; null for the usual
/// @param limit most items, 1 to 1000; null for 100
/// @param cursor `next` of the part before, in the same order; null for the beginning
/// @param total whether to count the whole list
public record ListQuery(
    @Nullable String sort,
    @Nullable Integer limit,
    @Nullable String cursor,
    @Nullable Boolean total) {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;
  private static final int MOST_TESTED = 1000;

  /// The part of `all` in the wanted order. A part begins behind a key, so items that come and go
  /// between two parts neither hide nor repeat other items.
  ///
  /// @param view is called for the items of this part only
  /// @throws RequestRejectedException if sort, limit or cursor are not as above
  public <S, T> Page<T> page(Collection<S> all, Orders<S> orders, Function<S, T> view) {
    return pageAtOnce(all, orders, shown -> shown.stream().map(view).toList());
  }

  /// As [#page], with all items of the part seen at once.
  public <S, T> Page<T> pageAtOnce(
      Collection<S> all, Orders<S> orders, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    RowOrder order = orders.order(sort, cursor);
    List<S> rest = behind(order, all, orders, most + 1);
    return page(rest, most, orders, order, Boolean.TRUE.equals(total) ? all.size() : null, views);
  }

  /// Whether the list is to be sorted by a field, in either direction.
  public boolean isSortedBy(String field) {
    return field.equals(sort) || ("-" + field).equals(sort);
  }

  /// The first items behind a place, in their order. Looks at each item once, and sorts no more
  /// items than it returns.
  private static <S> List<S> behind(
      RowOrder order, Collection<S> all, Orders<S> orders, int limit) {
    record Marked<S>(Mark place, S item) {}
    Comparator<Mark> places = order.places();
    Comparator<Marked<S>> inOrder = Comparator.comparing(Marked::place, places);
    PriorityQueue<Marked<S>> first = new PriorityQueue<>(inOrder.reversed());
    Mark after = order.after();
    for (S item : all) {
      Mark own = orders.mark(order, item);
      if (after == null || places.compare(own, after) > 0) {
        first.add(new Marked<>(own, item));
        if (first.size() > limit) {
          first.remove(); // the last of them
        }
      }
    }
    return first.stream().sorted(inOrder).map(Marked::item).toList();
  }

  /// A list that is too long to be held: the database finds the part.
  ///
  /// @param part the first rows of an order
  /// @param count of all rows
  public record Rows<S>(Part<S> part, IntSupplier count, Orders<S> orders) {

    /// A reader of rows in an order.
    @FunctionalInterface
    public interface Part<S> {

      /// @param order with the place behind which the part begins
      /// @param limit most rows
      List<S> read(RowOrder order, int limit);
    }

    /// Rows of which only a test knows how many there are.
    public static <S> Rows<S> tested(Part<S> part, Orders<S> orders) {
      return new Rows<>(
          part,
          () -> {
            throw new IllegalStateException("expected each row to be tested, got a count of all");
          },
          orders);
    }
  }

  /// The part of `rows` in the wanted order.
  ///
  /// @param views is called once, with the rows of this part
  /// @throws RequestRejectedException as [#page]
  public <S, T> Page<T> page(Rows<S> rows, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    RowOrder order = rows.orders().order(sort, cursor);
    List<S> rest = rows.part().read(order, most + 1);
    Integer counted = Boolean.TRUE.equals(total) ? rows.count().getAsInt() : null;
    return page(rest, most, rows.orders(), order, counted, views);
  }

  private static <S, T> Page<T> page(
      List<S> rest,
      int most,
      Orders<S> orders,
      RowOrder order,
      @Nullable Integer total,
      Function<List<S>, List<T>> views) {
    List<S> shown = rest.size() > most ? rest.subList(0, most) : rest;
    return new Page<>(
        views.apply(shown),
        rest.size() > most ? orders.cursor(order, shown.getLast()) : null,
        total);
  }

  /// The rows of one part that pass a test which the database cannot make. At most [#MOST_TESTED]
  /// rows are tested for a part. So the part may hold fewer rows than asked for, or none, and still
  /// have a next one.
  ///
  /// @param passing those of a list that pass
  public <S, T> Page<T> page(
      Rows<S> rows, Function<List<S>, List<S>> passing, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    RowOrder order = rows.orders().order(sort, cursor);
    List<S> tested = rows.part().read(order, MOST_TESTED + 1);
    boolean more = tested.size() > MOST_TESTED;
    List<S> part = more ? tested.subList(0, MOST_TESTED) : tested;
    List<S> passed = passing.apply(part);
    Integer counted = Boolean.TRUE.equals(total) ? count(rows, passing) : null;
    if (passed.size() > most) {
      return page(passed.subList(0, most + 1), most, rows.orders(), order, counted, views);
    }
    String next = more ? rows.orders().cursor(order, part.getLast()) : null;
    return new Page<>(views.apply(passed), next, counted);
  }

  private static <S> int count(Rows<S> rows, Function<List<S>, List<S>> passing) {
    int count = 0;
    RowOrder order = rows.orders().order(null, null);
    List<S> part = rows.part().read(order, MOST_TESTED);
    while (!part.isEmpty()) {
      count += passing.apply(part).size();
      part = rows.part().read(order.from(rows.orders().mark(order, part.getLast())), MOST_TESTED);
    }
    return count;
  }

  private int checkedLimit() {
    int wanted = limit == null ? DEFAULT_LIMIT : limit;
    if (wanted < 1 || wanted > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, wanted));
    }
    return wanted;
  }
}
