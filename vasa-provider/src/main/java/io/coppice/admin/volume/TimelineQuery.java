package io.coppice.admin.volume;

import io.coppice.admin.problem.RequestRejectedException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A client's request for a part of a timeline.
///
/// A cursor is the last moment of the part before, and the order. So a part begins where that one
/// is found, without a look at what came before.
///
/// @param from earliest moment; null for the oldest
/// @param to latest moment; null for the newest
/// @param order `newest`, which is usual, or `oldest`: what comes first
/// @param limit most moments, 1 to 1000; null for 100
/// @param cursor `next` of the part before, in the same order; null for the beginning
record TimelineQuery(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String order,
    @Nullable Integer limit,
    @Nullable String cursor) {

  private static final String NEWEST = "newest";
  private static final List<String> ORDERS = List.of(NEWEST, "oldest");
  private static final Pattern CURSOR = Pattern.compile("(newest|oldest) (\\d{1,15})");
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /// What can be the moment of a point.
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /// The moments that a part has.
  ///
  /// @param from earliest moment
  /// @param to latest moment
  /// @param most of them
  record Window(Instant from, Instant to, boolean newestFirst, int most) {

    /// The moment at which the part begins.
    Instant edge() {
      return newestFirst ? to : from;
    }

    boolean has(Instant moment) {
      return !moment.isBefore(from) && !moment.isAfter(to);
    }

    /// This window from a moment on.
    Window notBefore(Instant oldest) {
      return oldest.isAfter(from) ? new Window(oldest, to, newestFirst, most) : this;
    }

    /// The cursor of the part behind a moment.
    String cursor(Instant last) {
      String place = "%s %d".formatted(newestFirst ? NEWEST : "oldest", last.toEpochMilli());
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(place.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /// The window that is asked for.
  ///
  /// @throws RequestRejectedException if something is not as above
  Window window() {
    String first = Objects.requireNonNullElse(order, NEWEST);
    if (!ORDERS.contains(first)) {
      throw RequestRejectedException.field(
          "order", "expected one of %s, got '%s'".formatted(ORDERS, first));
    }
    int most = limit == null ? DEFAULT_LIMIT : limit;
    if (most < 1 || most > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, most));
    }
    Instant earliest = checked("from", from, FIRST);
    Instant latest = checked("to", to, LAST);
    if (earliest.isAfter(latest)) {
      throw RequestRejectedException.field(
          "from", "expected a moment not after 'to', got %s and %s".formatted(earliest, latest));
    }
    boolean newestFirst = first.equals(NEWEST);
    if (cursor == null) {
      return new Window(earliest, latest, newestFirst, most);
    }
    Instant before = place(cursor, first);
    return newestFirst
        ? new Window(earliest, earlier(latest, before.minusMillis(1)), true, most)
        : new Window(later(earliest, before.plusMillis(1)), latest, false, most);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant checked(String name, @Nullable Instant given, Instant otherwise) {
    Instant time = given == null ? otherwise : given;
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw RequestRejectedException.field(
          name, "expected a time from %s to %s, got %s".formatted(FIRST, LAST, time));
    }
    return time;
  }

  private static Instant place(String cursor, String order) {
    Matcher parts = CURSOR.matcher(decoded(cursor));
    if (!parts.matches()) {
      throw notACursor(cursor);
    }
    if (!parts.group(1).equals(order)) {
      throw RequestRejectedException.field(
          "cursor",
          "expected the 'next' of a part with the %s first, got one with the %s first"
              .formatted(order, parts.group(1)));
    }
    return Instant.ofEpochMilli(Long.parseLong(parts.group(2)));
  }

  private static String decoded(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      throw notACursor(cursor);
    }
  }

  private static RequestRejectedException notACursor(String cursor) {
    return RequestRejectedException.field(
        "cursor", "expected the 'next' of an earlier part, got '%s'".formatted(cursor));
  }
}
