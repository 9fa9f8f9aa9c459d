package io.coppice.admin.login;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.AdminToken;
import io.coppice.admin.access.BearerToken;
import io.coppice.admin.access.RememberedCallers;
import io.coppice.admin.access.RoleText;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.problem.TraceId;
import io.coppice.api.Role;
import io.coppice.api.account.BrowserSession;
import io.coppice.api.account.OwnSession;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/// The sessions of browsers. The cookie has 256 random bits, of which the database keeps the
/// SHA-256, so that a restart ends no session.
///
/// What somebody may do is looked up with each request: a change of a role, and an account that is
/// disabled or deleted, count from the next request on.
///
/// Sessions that were open at their last look are remembered, for those who read what needs no
/// database while it does not answer. What ends a session or changes an account goes through this
/// process, which then forgets it; whatever became of that change, since a database that goes away
/// in between does not tell.
@Component
public final class BrowserSessions implements SessionOpening {

  /// Most sessions of one person; the oldest goes.
  static final int MOST_OF_ONE = 32;

  /// Most sessions that are known without the database.
  private static final int MOST_REMEMBERED = 1_000;

  private static final int COOKIE_BYTES = 32;

  /// The time for which one that has expired is told so.
  private static final Duration REMEMBERED = Duration.ofDays(1);

  /// The time between two notes of the last use.
  private static final Duration USE = Duration.ofMinutes(1);

  private static final String SELECT =
      """
      select s.*, a.role, a.enabled,
             array(select c.id from container c where c.id = any(a.containers)
                    order by array_position(a.containers, c.id)) as bound_to
        from api_session s left join api_account a on a.id = s.account
      """;

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final ObjectProvider<GroupRoles> groups;
  private final LoginSettings settings;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final RememberedCallers remembered = new RememberedCallers(MOST_REMEMBERED);

  BrowserSessions(
      JdbcClient jdbc,
      TransactionOperations transactions,
      ChangeLog changes,
      ObjectProvider<GroupRoles> groups,
      LoginSettings settings,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.changes = changes;
    this.groups = groups;
    this.settings = settings;
    this.clock = clock;
  }

  /// A row, with the account as it is now.
  ///
  /// @param account null for people of other sources
  /// @param grant null if the account is disabled, or nothing gives the person a role
  private record Row(
      UUID id,
      Identity identity,
      @Nullable UUID account,
      @Nullable Grant grant,
      String address,
      Instant opened,
      Instant used,
      Instant endsAtLatest) {

    Row usedAt(Instant now) {
      return new Row(id, identity, account, grant, address, opened, now, endsAtLatest);
    }
  }

  /// The outcome of a look at a cookie.
  private sealed interface Found {

    record Open(Row row, Grant grant) implements Found {}

    record Ended(String sentence) implements Found {}
  }

  @Override
  public void open(Identity identity, HttpServletRequest request, HttpServletResponse response) {
    Actor.rest(identity.name(), TraceId.of(request)).run(() -> openAs(identity, request, response));
  }

  private void openAs(Identity identity, HttpServletRequest request, HttpServletResponse response) {
    Optional<String> former = SessionCookie.find(request);
    byte[] secret = new byte[COOKIE_BYTES];
    random.nextBytes(secret);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    Row row;
    try {
      row =
          transactions.execute(
              _ -> {
                former.ifPresent(this::deleteQuietly);
                return insert(identity, AdminToken.sha256(text), request.getRemoteAddr());
              });
    } finally {
      forget(idOf(identity)); // the oldest of them may be gone
      former.ifPresent(cookie -> remembered.forget(AdminToken.sha256(cookie)));
    }
    SessionCookie.set(request, response, text);
    caller(row, grantOf(row)).attachTo(request);
  }

  private Row insert(Identity identity, byte[] hash, String address) {
    Instant now = now();
    jdbc.sql("delete from api_session where ends_at < :limit")
        .param("limit", at(now.minus(REMEMBERED)))
        .update();
    jdbc.sql(
            """
            delete from api_session where id in
              (select id from api_session where source = :source and subject = :subject
                order by opened_at desc, id offset :most)
            """)
        .param("source", identity.source())
        .param("subject", identity.subject())
        .param("most", MOST_OF_ONE - 1)
        .update();
    jdbc.sql(
            """
            insert into api_session
              (id, hash, source, subject, name, groups, account, address,
               opened_at, used_at, ends_at)
            values (:id, :hash, :source, :subject, :name, :groups, :account, :address,
                    :now, :now, :end)
            """)
        .param("id", UUID.randomUUID())
        .param("hash", hash)
        .param("source", identity.source())
        .param("subject", identity.subject())
        .param("name", identity.name())
        .param("groups", identity.groups().toArray(String[]::new))
        .param("account", accountOf(identity), Types.OTHER)
        .param("address", address)
        .param("now", at(now))
        .param("end", at(now.plus(settings.sessionLength())))
        .update();
    Row row = row(hash).orElseThrow();
    grantOf(row); // throws: the transaction leaves nothing
    note(ChangeKind.NEW, "SessionNew", row.id(), row.identity(), address);
    return row;
  }

  private static @Nullable UUID accountOf(Identity identity) {
    return identity.source().equals(Identity.LOCAL) ? UUID.fromString(identity.subject()) : null;
  }

  private static Grant grantOf(Row row) {
    if (row.grant() == null) {
      throw new RequestRejectedException(
          HttpStatus.FORBIDDEN,
          "no-role",
          null,
          "expected somebody to whom a role is given, but '%s' (%s) has none"
              .formatted(row.identity().name(), row.identity().source()));
    }
    return row.grant();
  }

  /// The caller whose cookie this is. The use of the session is noted.
  ///
  /// @throws RequestRejectedException (401 `session-ended`) if the session has ended
  AdminCaller require(String cookie) {
    byte[] hash = AdminToken.sha256(cookie);
    long revocations = remembered.revocations();
    return switch (look(cookie)) {
      case Found.Open open -> {
        Row used = noteUse(open.row());
        AdminCaller caller = caller(used, open.grant());
        remembered.remember(hash, caller, idleEnd(used), revocations);
        yield caller;
      }
      case Found.Ended ended -> {
        remembered.forget(hash);
        throw ended(ended.sentence());
      }
    };
  }

  /// As [#require], or else, while the database does not answer, the caller as the last look knew
  /// it. That is no use of the session: it ends as if the request had not come.
  ///
  /// @throws RequestRejectedException as [#require]
  AdminCaller requireOrRemember(String cookie) {
    try {
      return require(cookie);
    } catch (DataAccessResourceFailureException
        | TransientDataAccessException
        | RecoverableDataAccessException
        | TransactionException databaseAway) {
      return remembered.find(AdminToken.sha256(cookie), now()).orElseThrow(() -> databaseAway);
    }
  }

  /// Forgets the sessions of a person, of which something has changed.
  ///
  /// @param person the account, or [#idOf] somebody of another source
  void forget(UUID person) {
    remembered.revoked(caller -> caller.id().equals(person));
  }

  /// The caller whose cookie this is, if its session has not ended. This is no use of it.
  Optional<AdminCaller> find(String cookie) {
    return look(cookie) instanceof Found.Open open
        ? Optional.of(caller(open.row(), open.grant()))
        : Optional.empty();
  }

  private static RequestRejectedException ended(String sentence) {
    return new RequestRejectedException(
        HttpStatus.UNAUTHORIZED, "session-ended", null, sentence + "; log in again");
  }

  private Found look(String cookie) {
    Optional<Row> found = row(AdminToken.sha256(cookie));
    if (found.isEmpty()) {
      return new Found.Ended("expected an open session, got one that was ended or never was");
    }
    Row row = found.get();
    Instant now = now();
    if (!now.isBefore(row.endsAtLatest())) {
      return new Found.Ended(
          "the session has expired at %s, %s after the login"
              .formatted(row.endsAtLatest(), text(settings.sessionLength())));
    }
    if (!now.isBefore(idleEnd(row))) {
      return new Found.Ended(
          "the session has expired at %s, after %s without a request"
              .formatted(idleEnd(row), text(settings.sessionIdle())));
    }
    Grant grant = row.grant();
    return grant == null
        ? new Found.Ended("the account of the session is disabled, or has no role any more")
        : new Found.Open(row, grant);
  }

  private static String text(Duration time) {
    return time.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private Instant idleEnd(Row row) {
    Instant idle = row.used().plus(settings.sessionIdle());
    return idle.isBefore(row.endsAtLatest()) ? idle : row.endsAtLatest();
  }

  /// Notes the use at most once in [#USE], so that reading costs no write.
  ///
  /// @return the row as it is now
  private Row noteUse(Row row) {
    Instant now = now();
    if (now.isBefore(row.used().plus(USE)) && !now.isBefore(row.used())) {
      return row;
    }
    jdbc.sql("update api_session set used_at = :now where id = :id")
        .param("now", at(now))
        .param("id", row.id())
        .update();
    return row.usedAt(now);
  }

  private AdminCaller caller(Row row, Grant grant) {
    Identity person = row.identity();
    return new AdminCaller(
        idOf(person),
        person.name(),
        grant.role(),
        grant.containers(),
        new AdminCaller.BySession(
            row.id(), row.account(), person.source(), idleEnd(row), row.endsAtLatest()));
  }

  /// The id of a person: that of the account, or one of another source, which is always the same.
  private static UUID idOf(Identity person) {
    UUID account = accountOf(person);
    if (account != null) {
      return account;
    }
    return UUID.nameUUIDFromBytes(
        (person.source() + "/" + person.subject()).getBytes(StandardCharsets.UTF_8));
  }

  /// The session of a request, with what its pages need.
  ///
  /// @throws RequestRejectedException (404) if the request came with a token
  public OwnSession own(HttpServletRequest request) {
    AdminCaller caller = AdminCaller.of(request).orElseThrow(BearerToken::unknown);
    AdminCaller.BySession session = sessionOf(caller);
    return new OwnSession(
        session.id(),
        caller.name(),
        caller.role(),
        caller.isBound() ? caller.containers() : null,
        session.source(),
        session.ends(),
        session.endsAtLatest(),
        CrossSite.token(SessionCookie.find(request).orElseThrow()));
  }

  private static AdminCaller.BySession sessionOf(AdminCaller caller) {
    AdminCaller.BySession session = caller.session();
    if (session == null) {
      throw RequestRejectedException.notFound("session of the token", caller.name());
    }
    return session;
  }

  /// Ends the session of a request.
  ///
  /// @throws RequestRejectedException (404) if the request came with a token
  public void endOwn(HttpServletRequest request, HttpServletResponse response) {
    end(sessionOf(AdminCaller.of(request).orElseThrow()).id());
    SessionCookie.clear(response);
  }

  /// All sessions that have not ended.
  public List<BrowserSession> list() {
    Instant now = now();
    return jdbc.sql(SELECT + " order by s.opened_at, s.id").query(this::read).list().stream()
        .filter(row -> row.grant() != null && now.isBefore(idleEnd(row)))
        .map(
            row ->
                new BrowserSession(
                    row.id(),
                    row.identity().name(),
                    row.identity().source(),
                    row.address(),
                    row.opened(),
                    row.used(),
                    row.endsAtLatest()))
        .toList();
  }

  /// Ends a session.
  ///
  /// @throws RequestRejectedException if it is unknown
  public void end(UUID id) {
    try {
      transactions.executeWithoutResult(_ -> delete(id));
    } finally {
      remembered.revoked(caller -> sessionOf(caller).id().equals(id));
    }
  }

  private void delete(UUID id) {
    Row gone =
        jdbc.sql(SELECT + " where s.id = :id for update of s")
            .param("id", id)
            .query(this::read)
            .optional()
            .orElseThrow(() -> RequestRejectedException.notFound("session", id));
    jdbc.sql("delete from api_session where id = :id").param("id", id).update();
    note(ChangeKind.DELETE, "SessionDelete", id, gone.identity(), gone.address());
  }

  private void deleteQuietly(String cookie) {
    jdbc.sql("delete from api_session where hash = :hash")
        .param("hash", AdminToken.sha256(cookie))
        .update();
  }

  private void note(
      ChangeKind kind, String message, UUID session, Identity person, String address) {
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.SESSION, session.toString(), message),
            Map.of(
                "name", person.name(),
                "session", session.toString(),
                "source", person.source(),
                "address", address)));
  }

  private Optional<Row> row(byte[] hash) {
    return jdbc.sql(SELECT + " where s.hash = :hash")
        .param("hash", hash)
        .query(this::read)
        .optional();
  }

  private Row read(ResultSet row, int number) throws SQLException {
    Identity person =
        new Identity(
            row.getString("source"),
            row.getString("subject"),
            row.getString("name"),
            List.of((String[]) row.getArray("groups").getArray()));
    UUID account = row.getObject("account", UUID.class);
    return new Row(
        row.getObject("id", UUID.class),
        person,
        account,
        account == null ? ofGroups(person) : ofAccount(row),
        row.getString("address"),
        row.getObject("opened_at", OffsetDateTime.class).toInstant(),
        row.getObject("used_at", OffsetDateTime.class).toInstant(),
        row.getObject("ends_at", OffsetDateTime.class).toInstant());
  }

  private @Nullable Grant ofGroups(Identity person) {
    GroupRoles roles = groups.getIfAvailable();
    return roles == null ? null : roles.of(person).orElse(null);
  }

  private static @Nullable Grant ofAccount(ResultSet row) throws SQLException {
    if (!row.getBoolean("enabled")) {
      return null;
    }
    Role role = RoleText.parse(row.getString("role"));
    return new Grant(
        role, role.isBound() ? List.of((UUID[]) row.getArray("bound_to").getArray()) : List.of());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static OffsetDateTime at(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
