package io.coppice.admin.request;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.time.SeenTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Requests that may be repeated, and the answer to the first of each.
///
/// A row is written before the request runs and completed after it. An incomplete row belongs to a
/// request that still runs, that a crash cut short or that ended in an error of the server. Its
/// repeat is refused, because the changes it made are not known here. A refused request changed
/// nothing, so its row goes and a repeat runs anew.
@Component
final class Idempotency {

  static final Duration KEPT = Duration.ofHours(24);
  static final int MAX_KEY_LENGTH = 200;

  /// Most keys in [#released]; beyond them a key stays blocked.
  private static final int MOST_RELEASED = 10_000;

  /// Between a location and its tag. No location has it: it would begin a fragment.
  private static final char TAG_MARK = '#';

  private final JdbcClient jdbc;
  private final InstantSource clock;
  private final SeenTime time;

  /// Keys of requests that changed nothing, but whose rows could not be deleted yet.
  private final Set<Key> released = ConcurrentHashMap.newKeySet();

  Idempotency(JdbcClient jdbc, InstantSource clock, SeenTime time) {
    this.time = time;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /// A request with a key.
  ///
  /// @param token the key's token: keys of different tokens are different
  record Key(UUID token, String text) {}

  /// The answer to a request.
  ///
  /// @param tag of what was made there; null for none
  /// @param body null if it must not be kept
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(
      int status,
      @Nullable String location,
      @Nullable String tag,
      @Nullable String contentType,
      byte @Nullable [] body) {

    /// The location as it is kept, with the tag of what was made behind it.
    @Nullable String place() {
      return location == null || tag == null ? location : location + TAG_MARK + tag;
    }
  }

  /// Begins a request.
  ///
  /// @param fingerprint equal for equal requests
  /// @return the first answer if it was answered before
  /// @throws RequestRejectedException if the key stands for another request, for one that has not
  ///   ended, or for one whose answer is not kept
  Optional<Answer> begin(Key key, byte[] fingerprint) {
    check(key);
    if (released.contains(key)) {
      delete(key);
    }
    var now = clock.instant();
    if (time.sawEvenClockFor(KEPT)) { // else a jump of the clock would have a repeat run anew
      jdbc.sql("delete from idempotent_request where begun_at < :limit")
          .param("limit", now.minus(KEPT).atOffset(ZoneOffset.UTC))
          .update();
    }
    int inserted =
        jdbc.sql(
                """
                insert into idempotent_request (token, key, fingerprint, begun_at)
                values (:token, :key, :fingerprint, :now)
                on conflict (token, key) do nothing
                """)
            .param("token", key.token())
            .param("key", key.text())
            .param("fingerprint", fingerprint)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update();
    return inserted == 1 ? Optional.empty() : Optional.of(first(key, fingerprint));
  }

  private static void check(Key key) {
    if (key.text().isBlank() || key.text().length() > MAX_KEY_LENGTH) {
      throw RequestRejectedException.field(
          "Idempotency-Key",
          "expected a key of 1 to %d characters, got %d"
              .formatted(MAX_KEY_LENGTH, key.text().length()));
    }
  }

  private Answer first(Key key, byte[] fingerprint) {
    Stored stored =
        jdbc.sql("select * from idempotent_request where token = :token and key = :key")
            .param("token", key.token())
            .param("key", key.text())
            .query(Idempotency::stored)
            .optional()
            .orElseThrow(() -> unfinished(key));
    if (!Arrays.equals(stored.fingerprint(), fingerprint)) {
      throw new RequestRejectedException(
          HttpStatus.UNPROCESSABLE_CONTENT,
          "idempotency-key-reused",
          "Idempotency-Key",
          "expected the request that key '%s' came with first, got another one"
              .formatted(key.text()));
    }
    if (stored.answer() == null) {
      throw unfinished(key);
    }
    if (stored.answer().body() == null) {
      throw RequestRejectedException.conflict(
          "answer-not-kept",
          "Idempotency-Key",
          "the request with key '%s' was carried out, its answer is shown only once"
              .formatted(key.text()));
    }
    return stored.answer();
  }

  private static RequestRejectedException unfinished(Key key) {
    return RequestRejectedException.conflict(
        "first-request-unfinished",
        "Idempotency-Key",
        "the first request with key '%s' still runs or was cut short: look what it changed"
            .formatted(key.text()));
  }

  /// Keeps the answer of a request that succeeded.
  void succeeded(Key key, Answer answer) {
    jdbc.sql(
            """
            update idempotent_request
               set status = :status, location = :location, content_type = :type, body = :body
             where token = :token and key = :key
            """)
        .param("token", key.token())
        .param("key", key.text())
        .param("status", answer.status())
        .param("location", answer.place())
        .param("type", answer.contentType())
        .param("body", answer.body())
        .update();
  }

  /// Forgets a request that changed nothing, at the latest when it is repeated.
  void failed(Key key) {
    if (released.size() < MOST_RELEASED) {
      released.add(key);
    }
    delete(key);
  }

  private void delete(Key key) {
    jdbc.sql("delete from idempotent_request where token = :token and key = :key")
        .param("token", key.token())
        .param("key", key.text())
        .update();
    released.remove(key);
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Stored(byte[] fingerprint, @Nullable Answer answer) {}

  private static Stored stored(ResultSet row, int number) throws SQLException {
    Integer status = row.getObject("status", Integer.class);
    String place = row.getString("location");
    int mark = place == null ? -1 : place.indexOf(TAG_MARK);
    return new Stored(
        row.getBytes("fingerprint"),
        status == null
            ? null
            : new Answer(
                status,
                place == null || mark < 0 ? place : place.substring(0, mark),
                place == null || mark < 0 ? null : place.substring(mark + 1),
                row.getString("content_type"),
                row.getBytes("body")));
  }
}
