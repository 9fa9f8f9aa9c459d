package io.coppice.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which part of a list a client wants.
///
/// @param limit most items, 1 to 1000; null for 100
/// @param cursor `next` of the part before; null for the beginning
/// @param total whether to count the whole list
record ListQuery(@Nullable Integer limit, @Nullable String cursor, @Nullable Boolean total) {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /// The part of `all`, in the order of their keys. A key never changes, so items that come and go
  /// between two parts neither hide nor repeat others.
  ///
  /// @param view is called for the items of this part only
  /// @throws Rejection if limit or cursor are not as above
  <S, T> Page<T> page(Collection<S> all, Function<S, String> key, Function<S, T> view) {
    return page(all, key, Comparator.naturalOrder(), view);
  }

  /// As [#page], the largest key first.
  <S, T> Page<T> pageFromLast(Collection<S> all, Function<S, String> key, Function<S, T> view) {
    return page(all, key, Comparator.reverseOrder(), view);
  }

  private <S, T> Page<T> page(
      Collection<S> all, Function<S, String> key, Comparator<String> order, Function<S, T> view) {
    int most = checkedLimit();
    String after = cursor == null ? null : decode(cursor);
    List<S> rest =
        all.stream()
            .filter(item -> after == null || order.compare(key.apply(item), after) > 0)
            .sorted(Comparator.comparing(key, order))
            .limit(most + 1L)
            .toList();
    List<S> shown = rest.size() > most ? rest.subList(0, most) : rest;
    return new Page<>(
        shown.stream().map(view).toList(),
        rest.size() > most ? encode(key.apply(shown.getLast())) : null,
        Boolean.TRUE.equals(total) ? all.size() : null);
  }

  private int checkedLimit() {
    int wanted = limit == null ? DEFAULT_LIMIT : limit;
    if (wanted < 1 || wanted > MAX_LIMIT) {
      throw Rejection.field("limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, wanted));
    }
    return wanted;
  }

  /// A key that sorts by time.
  static String key(Instant time, Object id) {
    return "%013d.%06d/%s".formatted(time.getEpochSecond(), time.getNano() / 1000, id);
  }

  private static String encode(String key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(key.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Rejection.field(
          "cursor", "expected the 'next' of an earlier part, got '%s'".formatted(cursor));
    }
  }
}
