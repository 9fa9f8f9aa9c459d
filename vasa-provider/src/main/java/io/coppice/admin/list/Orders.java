package io.coppice.admin.list;

import io.coppice.admin.field.PlainText;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The orders of a list: the fields that a client may sort it by. The first one is the usual order.
/// Immutable.
///
/// A cursor is a place in one of the orders: the sort, the key of the last item and its id, which
/// decides between equal keys.
public final class Orders<S> {

  private static final Pattern CURSOR =
      Pattern.compile("(-?[A-Za-z]+)/(\\d{1,6})/(.*)", Pattern.DOTALL);
  private static final int LONGEST_SHOWN = 80;

  private record Field<S>(SortKind kind, Function<S, String> key) {}

  private final Function<S, String> id;
  private final SortKind idKind;
  private final String usual;
  private final Map<String, Field<S>> fields;

  private Orders(
      Function<S, String> id, SortKind idKind, String usual, Map<String, Field<S>> fields) {
    this.id = id;
    this.idKind = idKind;
    this.usual = usual;
    this.fields = fields;
  }

  /// Orders without fields yet.
  ///
  /// @param usual the sort if a client names none: one of the fields, perhaps with a `-`
  /// @param id a text that no two items share
  public static <S> Orders<S> usually(String usual, Function<S, String> id) {
    return new Orders<>(id, SortKind.TEXT, usual, Map.of());
  }

  /// Orders without fields yet, of items with a UUID.
  public static <S> Orders<S> ofIds(String usual, Function<S, ?> id) {
    return new Orders<>(one -> id.apply(one).toString(), SortKind.ID, usual, Map.of());
  }

  /// Orders without fields yet, of items whose id is a number from 0.
  public static <S> Orders<S> ofNumbers(String usual, ToLongFunction<S> id) {
    return new Orders<>(one -> SortKind.key(id.applyAsLong(one)), SortKind.NUMBER, usual, Map.of());
  }

  /// These orders and one by a text.
  public Orders<S> text(String field, Function<S, ? extends @Nullable Object> of) {
    return with(field, SortKind.TEXT, one -> SortKind.key(Objects.toString(of.apply(one), "")));
  }

  /// These orders and one by a number from 0.
  public Orders<S> number(String field, ToLongFunction<S> of) {
    return with(field, SortKind.NUMBER, one -> SortKind.key(of.applyAsLong(one)));
  }

  /// These orders and one by a time.
  public Orders<S> time(String field, Function<S, @Nullable Instant> of) {
    return with(field, SortKind.TIME, one -> SortKind.key(of.apply(one)));
  }

  /// These orders and one whose keys are made already.
  public Orders<S> with(String field, SortKind kind, Function<S, String> key) {
    Map<String, Field<S>> more = new LinkedHashMap<>(fields);
    more.put(field, new Field<>(kind, key));
    return new Orders<>(id, idKind, usual, more);
  }

  /// The order that a client asks for, from its cursor on.
  ///
  /// @throws RequestRejectedException if the list has no such order, or the cursor belongs to
  ///   another one
  RowOrder order(@Nullable String sort, @Nullable String cursor) {
    String wanted = sort == null ? usual : sort;
    boolean descending = wanted.startsWith("-");
    String field = descending ? wanted.substring(1) : wanted;
    if (!fields.containsKey(field)) {
      throw unknown(wanted);
    }
    RowOrder order = new RowOrder(field, descending, null);
    return cursor == null ? order : order.from(place(order, cursor));
  }

  private RequestRejectedException unknown(String sort) {
    return RequestRejectedException.field(
        "sort",
        "expected one of %s, each also with a leading -, got '%s'"
            .formatted(
                String.join(", ", fields.keySet()),
                sort.length() > LONGEST_SHOWN ? sort.substring(0, LONGEST_SHOWN) + "…" : sort));
  }

  /// The place of an item in an order.
  RowOrder.Mark mark(RowOrder order, S item) {
    return new RowOrder.Mark(field(order).key().apply(item), id.apply(item));
  }

  /// The cursor of the part behind an item.
  String cursor(RowOrder order, S item) {
    RowOrder.Mark mark = mark(order, item);
    String place = "%s/%d/%s%s".formatted(sort(order), mark.key().length(), mark.key(), mark.id());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.getBytes(StandardCharsets.UTF_8));
  }

  private static String sort(RowOrder order) {
    return (order.descending() ? "-" : "") + order.field();
  }

  private RowOrder.Mark place(RowOrder order, String cursor) {
    Matcher parts = CURSOR.matcher(decode(cursor));
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > parts.group(3).length()) {
      throw notACursor(cursor);
    }
    if (!parts.group(1).equals(sort(order))) {
      throw RequestRejectedException.field(
          "cursor",
          "expected the 'next' of a part that is sorted by %s, got one of %s"
              .formatted(sort(order), parts.group(1)));
    }
    int length = Integer.parseInt(parts.group(2));
    String key = parts.group(3).substring(0, length);
    String item = parts.group(3).substring(length);
    if (!field(order).kind().isKey(key) || !idKind.isKey(item)) {
      throw notACursor(cursor);
    }
    return new RowOrder.Mark(key, item);
  }

  private Field<S> field(RowOrder order) {
    return Objects.requireNonNull(fields.get(order.field()), order.field());
  }

  private static String decode(String cursor) {
    try {
      String place = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      if (PlainText.isPlain(place)) {
        return place;
      }
    } catch (IllegalArgumentException e) {
      throw notACursor(cursor);
    }
    throw notACursor(cursor);
  }

  private static RequestRejectedException notACursor(String cursor) {
    return RequestRejectedException.field(
        "cursor", "expected the 'next' of an earlier part, got '%s'".formatted(cursor));
  }
}
