package io.coppice.admin.login;

import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.access.RoleBounds;
import io.coppice.admin.access.RoleText;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.account.UserAccount;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// The accounts of people that Coppice keeps itself.
///
/// A change of an account ends what follows from it in the same transaction: its sessions with a
/// new password or when it is disabled, and its tokens when it is deleted. A new role counts from
/// the next request on, since each looks the account up.
@Component
public final class Accounts {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /// A container that is gone is one of no account any more.
  private static final String SELECT =
      """
      select a.*, array(select c.id from container c where c.id = any(a.containers)
                         order by array_position(a.containers, c.id)) as bound_to
        from api_account a
      """;

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final RoleBounds bounds;
  private final Passwords passwords;
  private final ApiTokens tokens;
  private final BrowserSessions sessions;
  private final InstantSource clock;

  Accounts(
      JdbcClient jdbc,
      TransactionOperations transactions,
      ChangeLog changes,
      RoleBounds bounds,
      Passwords passwords,
      ApiTokens tokens,
      BrowserSessions sessions,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.changes = changes;
    this.bounds = bounds;
    this.passwords = passwords;
    this.tokens = tokens;
    this.sessions = sessions;
    this.clock = clock;
  }

  /// The wanted rights of an account.
  ///
  /// @param containers null for a role that is bound to none
  public record Wanted(Role role, @Nullable List<UUID> containers, boolean enabled) {}

  /// The account and the hash of its password.
  record Secret(UserAccount account, String hash) {}

  /// The form in which names are compared: case does not count.
  static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /// Makes an account, which is enabled.
  ///
  /// @param containers as [RoleBounds] wants them
  /// @throws RequestRejectedException if the name, the password or the containers cannot be, or the
  ///   name is taken
  public UserAccount create(
      String name, Role role, @Nullable List<UUID> containers, String password) {
    if (!NAME.matcher(name).matches()) {
      throw RequestRejectedException.field(
          "name",
          "expected a name of 1 to 64 characters of a-z, 0-9 and ._-, a letter or digit first,"
              + " got '%s'".formatted(name));
    }
    List<StorageContainer> within = bounds.of(role, containers);
    String hash = passwords.hash("password", password);
    Instant now = now();
    UserAccount made =
        new UserAccount(UUID.randomUUID(), name, role, ids(role, within), true, now, now, null);
    transactions.executeWithoutResult(
        _ -> {
          insert(made, hash);
          note(ChangeKind.NEW, "AccountNew", made, within);
        });
    return made;
  }

  private void insert(UserAccount made, String hash) {
    try {
      jdbc.sql(
              """
              insert into api_account
                (id, name, role, containers, password, enabled, created_at, password_set_at)
              values (:id, :name, :role, :containers, :hash, true, :now, :now)
              """)
          .param("id", made.id())
          .param("name", made.name())
          .param("role", made.role().text())
          .param("containers", array(made.containers()))
          .param("hash", hash)
          .param("now", made.created().atOffset(ZoneOffset.UTC))
          .update();
    } catch (DuplicateKeyException e) {
      throw RequestRejectedException.conflict(
          "name-taken",
          "name",
          "expected an unused account name, but '%s' is taken".formatted(made.name()));
    }
  }

  public List<UserAccount> list() {
    return jdbc.sql(SELECT + " order by a.created_at, a.id").query(Accounts::account).list();
  }

  /// @throws RequestRejectedException if it is unknown
  public UserAccount require(UUID id) {
    return jdbc.sql(SELECT + " where a.id = :id")
        .param("id", id)
        .query(Accounts::account)
        .optional()
        .orElseThrow(() -> RequestRejectedException.notFound("account", id));
  }

  /// The account of a name in any case, if there is one.
  Optional<Secret> find(String name) {
    return jdbc.sql(SELECT + " where a.name = :name")
        .param("name", folded(name))
        .query((row, number) -> new Secret(account(row, number), row.getString("password")))
        .optional();
  }

  /// The hash of the password of an account, if there is one.
  Optional<String> hash(UUID id) {
    return jdbc.sql("select password from api_account where id = :id")
        .param("id", id)
        .query(String.class)
        .optional();
  }

  /// Changes what an account may do, and its password.
  ///
  /// @param password null leaves it
  /// @throws RequestRejectedException if it is unknown, or something cannot be
  public UserAccount change(UUID id, Wanted wanted, @Nullable String password) {
    List<StorageContainer> within = bounds.of(wanted.role(), wanted.containers());
    String hash = password == null ? null : passwords.hash("password", password);
    alter(
        id,
        () -> {
          UserAccount before = require(id);
          UserAccount after = update(before, wanted, within);
          if (!after.equals(before)) {
            note(
                ChangeKind.UPDATE,
                after.enabled() ? "AccountUpdate" : "AccountDisabled",
                after,
                within);
          }
          if (hash != null) {
            setPassword(after, hash, null);
          } else if (!after.enabled()) {
            endSessions(id, null);
          }
        });
    return require(id);
  }

  private UserAccount update(UserAccount before, Wanted wanted, List<StorageContainer> within) {
    jdbc.sql(
            """
            update api_account set role = :role, containers = :containers, enabled = :enabled
             where id = :id
            """)
        .param("role", wanted.role().text())
        .param("containers", array(ids(wanted.role(), within)))
        .param("enabled", wanted.enabled())
        .param("id", before.id())
        .update();
    return require(before.id());
  }

  /// Sets the password of an account.
  ///
  /// @param session that goes on; all others of the account end. Null ends all
  void setOwnPassword(UUID id, String password, UUID session) {
    String hash = passwords.hash("password", password);
    alter(id, () -> setPassword(require(id), hash, session));
  }

  /// The time moves forward always, even if the clock does not: it is a part of the account's tag,
  /// so that of two changes with one tag exactly one happens.
  private void setPassword(UserAccount account, String hash, @Nullable UUID session) {
    jdbc.sql(
            """
            update api_account
               set password = :hash,
                   password_set_at = greatest(:now, password_set_at + interval '1 microsecond')
             where id = :id
            """)
        .param("hash", hash)
        .param("now", now().atOffset(ZoneOffset.UTC))
        .param("id", account.id())
        .update();
    endSessions(account.id(), session);
    note(ChangeKind.UPDATE, "AccountPassword", account, List.of());
  }

  private void endSessions(UUID account, @Nullable UUID but) {
    jdbc.sql("delete from api_session where account = :account and id is distinct from :but")
        .param("account", account)
        .param("but", but, java.sql.Types.OTHER)
        .update();
  }

  /// Notes a login, and keeps the hash at today's cost.
  void loggedIn(Secret known, String password) {
    String hash =
        passwords.isOutdated(known.hash()) ? passwords.hash("password", password) : known.hash();
    jdbc.sql(
            """
            update api_account set login_at = :now, password = :hash
             where id = :id and password = :before
            """)
        .param("now", now().atOffset(ZoneOffset.UTC))
        .param("hash", hash)
        .param("id", known.account().id())
        .param("before", known.hash()) // else a password that was set meanwhile would be lost
        .update();
  }

  /// Deletes an account with its sessions and tokens.
  ///
  /// @throws RequestRejectedException if it is unknown
  public void delete(UUID id) {
    alter(
        id,
        () -> {
          UserAccount gone = require(id);
          jdbc.sql("delete from api_account where id = :id").param("id", id).update();
          note(ChangeKind.DELETE, "AccountDelete", gone, List.of());
        });
  }

  /// Changes an account in a transaction. Nothing that was remembered of it counts after that,
  /// whatever became of the change: a database that goes away meanwhile does not tell.
  private void alter(UUID id, Runnable change) {
    try {
      transactions.executeWithoutResult(_ -> change.run());
    } finally {
      tokens.forget();
      sessions.forget(id);
    }
  }

  private void note(
      ChangeKind kind, String message, UserAccount account, List<StorageContainer> within) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", account.name());
    parameters.put("account", account.id().toString());
    parameters.put("role", account.role().text());
    String sentence = message;
    if (!within.isEmpty()) {
      sentence = message.replace("Account", "AccountBound");
      parameters.put(
          "containers",
          within.stream().map(StorageContainer::text).collect(Collectors.joining(", ")));
    }
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.ACCOUNT, account.id().toString(), sentence),
            parameters));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static @Nullable List<UUID> ids(Role role, List<StorageContainer> within) {
    return role.isBound() ? within.stream().map(StorageContainer::id).toList() : null;
  }

  private static UUID[] array(@Nullable List<UUID> containers) {
    return Objects.requireNonNullElse(containers, List.<UUID>of()).toArray(UUID[]::new);
  }

  private static UserAccount account(ResultSet row, int number) throws SQLException {
    Role role = RoleText.parse(row.getString("role"));
    OffsetDateTime login = row.getObject("login_at", OffsetDateTime.class);
    return new UserAccount(
        row.getObject("id", UUID.class),
        row.getString("name"),
        role,
        role.isBound() ? List.of((UUID[]) row.getArray("bound_to").getArray()) : null,
        row.getBoolean("enabled"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("password_set_at", OffsetDateTime.class).toInstant(),
        login == null ? null : login.toInstant());
  }
}
