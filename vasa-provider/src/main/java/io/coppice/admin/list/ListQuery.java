package io.coppice.admin.list;

import io.coppice.admin.field.PlainText;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A client's request for one part of a list.
///
/// @param limit most items, 1 to 1000; null for 100
/// @param cursor `next` of the part before; null for the beginning
/// @param total whether to count the whole list
public record ListQuery(@Nullable Integer limit, @Nullable String cursor, @Nullable Boolean total) {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;
  private static final int MOST_TESTED = 1000;

  /// The part of `all`, in the order of their keys. A key never changes, so items that come and go
  /// between two parts neither hide nor repeat other items.
  ///
  /// @param view is called for the items of this part only
  /// @throws RequestRejectedException if limit or cursor are not as above
  public <S, T> Page<T> page(Collection<S> all, Function<S, String> key, Function<S, T> view) {
    return pageAtOnce(all, key, shown -> shown.stream().map(view).toList());
  }

  /// As [#page], with all items of the part seen at once.
  public <S, T> Page<T> pageAtOnce(
      Collection<S> all, Function<S, String> key, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    String after = cursor == null ? "" : decode(cursor);
    List<S> rest = behind(after, all, key, most + 1);
    return page(rest, most, key, Boolean.TRUE.equals(total) ? all.size() : null, views);
  }

  /// The first items behind a key, in the order of their keys. Looks at each item once, and sorts
  /// no more items than it returns.
  private static <S> List<S> behind(
      String after, Collection<S> all, Function<S, String> key, int limit) {
    record Keyed<S>(String key, S item) {}
    PriorityQueue<Keyed<S>> first =
        new PriorityQueue<>(Comparator.<Keyed<S>, String>comparing(Keyed::key).reversed());
    for (S item : all) {
      String own = key.apply(item);
      if (own.compareTo(after) > 0) {
        first.add(new Keyed<>(own, item));
        if (first.size() > limit) {
          first.remove(); // the last of them
        }
      }
    }
    return first.stream().sorted(Comparator.comparing(Keyed::key)).map(Keyed::item).toList();
  }

  /// A list that is too long to be held: the database finds the part.
  ///
  /// @param count of all rows
  /// @param key the key of a row, made by [ListQuery#key]
  public record Rows<S>(Part<S> part, IntSupplier count, Function<S, String> key) {

    /// A reader of rows in their order.
    @FunctionalInterface
    public interface Part<S> {

      /// @param after key of the row before the first one; null for the beginning
      /// @param limit most rows
      /// @throws RequestRejectedException if no row has a key like it
      List<S> read(@Nullable String after, int limit);
    }
  }

  /// The part of `rows`, in their order.
  ///
  /// @param views is called once, with the rows of this part
  /// @throws RequestRejectedException as [#page]
  public <S, T> Page<T> page(Rows<S> rows, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    List<S> rest = rows.part().read(after(), most + 1);
    Integer counted = Boolean.TRUE.equals(total) ? rows.count().getAsInt() : null;
    return page(rest, most, rows.key(), counted, views);
  }

  private static <S, T> Page<T> page(
      List<S> rest,
      int most,
      Function<S, String> key,
      @Nullable Integer total,
      Function<List<S>, List<T>> views) {
    List<S> shown = rest.size() > most ? rest.subList(0, most) : rest;
    return new Page<>(
        views.apply(shown), rest.size() > most ? encode(key.apply(shown.getLast())) : null, total);
  }

  /// The rows of one part that pass a test which the database cannot make. At most [#MOST_TESTED]
  /// rows are tested for a part. So the part may hold fewer rows than asked for, or none, and still
  /// have a next one.
  ///
  /// @param passing those of a list that pass
  public <S, T> Page<T> page(
      Rows<S> rows, Function<List<S>, List<S>> passing, Function<List<S>, List<T>> views) {
    int most = checkedLimit();
    List<S> tested = rows.part().read(after(), MOST_TESTED + 1);
    boolean more = tested.size() > MOST_TESTED;
    List<S> part = more ? tested.subList(0, MOST_TESTED) : tested;
    List<S> passed = passing.apply(part);
    Integer counted = Boolean.TRUE.equals(total) ? count(rows, passing) : null;
    if (passed.size() > most) {
      return page(passed.subList(0, most + 1), most, rows.key(), counted, views);
    }
    String next = more ? encode(rows.key().apply(part.getLast())) : null;
    return new Page<>(views.apply(passed), next, counted);
  }

  private static <S> int count(Rows<S> rows, Function<List<S>, List<S>> passing) {
    int count = 0;
    List<S> part = rows.part().read(null, MOST_TESTED);
    while (!part.isEmpty()) {
      count += passing.apply(part).size();
      part = rows.part().read(rows.key().apply(part.getLast()), MOST_TESTED);
    }
    return count;
  }

  private @Nullable String after() {
    return cursor == null ? null : decode(cursor);
  }

  private int checkedLimit() {
    int wanted = limit == null ? DEFAULT_LIMIT : limit;
    if (wanted < 1 || wanted > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, wanted));
    }
    return wanted;
  }

  /// A key that sorts by time.
  public static String key(Instant time, Object id) {
    return "%013d.%06d/%s".formatted(time.getEpochSecond(), time.getNano() / 1000, id);
  }

  /// The time and the id in a key that [#key] made.
  public record TimeKey(Instant time, String id) {

    /// The end of the year 9999, which the database still knows.
    private static final long LAST_SECOND = 253_402_300_799L;

    private static final Pattern FORM = Pattern.compile("(\\d{13})\\.(\\d{6})/(.+)");

    /// @throws RequestRejectedException if it is none
    public static TimeKey parse(String key) {
      Matcher parts = FORM.matcher(key);
      if (!parts.matches()) {
        throw notACursor(key);
      }
      long second = Long.parseLong(parts.group(1));
      if (second > LAST_SECOND) {
        throw notACursor(key);
      }
      return new TimeKey(
          Instant.ofEpochSecond(second, 1000L * Integer.parseInt(parts.group(2))), parts.group(3));
    }

    /// @throws RequestRejectedException if the id is none of a volume
    public VolumeId volume() {
      return ListQuery.volume(id);
    }
  }

  /// The volume that a key names.
  ///
  /// @throws RequestRejectedException if the key names none
  public static VolumeId volume(String key) {
    try {
      return VolumeId.parse(key);
    } catch (IllegalArgumentException e) {
      throw notACursor(key);
    }
  }

  private static RequestRejectedException notACursor(String cursor) {
    return RequestRejectedException.field(
        "cursor", "expected the 'next' of an earlier part, got '%s'".formatted(cursor));
  }

  private static String encode(String key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(key.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String cursor) {
    try {
      String key = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      if (PlainText.isPlain(key)) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      throw notACursor(cursor);
    }
    throw notACursor(cursor);
  }
}
