package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.system.Token;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// The tokens of REST. A token is 256 random bits, so a plain SHA-256 of it reveals nothing; only
/// that hash is kept.
@Component
public final class ApiTokens {

  static final int MAX_NAME_LENGTH = 80;
  static final int MAX_DAYS = 3650;

  /// Longest time for which the text before a rotation still counts.
  static final int MAX_GRACE_MINUTES = 7 * 24 * 60;

  /// Most tokens that an account makes for itself.
  static final int MOST_OF_ACCOUNT = 32;

  /// The beginning of every new token, by which people and scanners of secrets know one.
  static final String PREFIX = "cop_";

  private static final int SHOWN_CHARACTERS = 8;

  /// A container that is gone is one of no token any more.
  private static final String SELECT =
      """
      select t.*, array(select c.id from container c where c.id = any(t.containers)
                         order by array_position(t.containers, c.id)) as bound_to,
             o.role as owner_role, o.enabled as owner_enabled, o.containers as owner_containers
        from api_token t left join api_account o on o.id = t.owner
      """;

  /// Most tokens that are known without the database.
  private static final int MOST_REMEMBERED = 100;

  private static final int TOKEN_BYTES = 32;
  private static final UUID FILE = new UUID(0, 0);

  private final AdminToken file;
  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final RoleBounds bounds;
  private final InstantSource clock;
  private final TokenUses uses;
  private final SecureRandom random = new SecureRandom();
  private final RememberedCallers remembered = new RememberedCallers(MOST_REMEMBERED);

  ApiTokens(
      AdminToken file,
      JdbcClient jdbc,
      TransactionOperations transactions,
      ChangeLog changes,
      RoleBounds bounds,
      InstantSource clock) {
    this.bounds = bounds;
    this.file = file;
    this.transactions = transactions;
    this.changes = changes;
    this.jdbc = jdbc;
    this.clock = clock;
    this.uses = new TokenUses(jdbc);
  }

  /// A token that was made now.
  public record Issued(Token token, String text) {}

  /// A token as it counts now.
  ///
  /// @param caller its holder, with no more rights than the owner has; null if the owner is
  ///   disabled or has a smaller role
  /// @param ends when the text that was shown ends
  private record Found(Token token, @Nullable AdminCaller caller, Instant ends) {}

  /// The caller whose token this is; empty if it is no token or has expired.
  public Optional<AdminCaller> authenticate(String text) {
    if (file.is(text)) {
      return Optional.of(AdminCaller.ofToken(FILE, "admin.token", Role.ADMIN, List.of()));
    }
    byte[] hash = AdminToken.sha256(text);
    long revocations = remembered.revocations();
    Instant now = clock.instant();
    Optional<Found> found =
        jdbc.sql(
                SELECT
                    + """
                     where (t.hash = :hash or t.former_hash = :hash and t.former_until > :now)
                       and t.expires_at > :now
                    """)
            .param("hash", hash)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .query((row, number) -> found(row, number, hash))
            .optional();
    AdminCaller caller = found.map(Found::caller).orElse(null);
    if (caller == null) {
      remembered.forget(hash);
      return Optional.empty();
    }
    Token token = found.orElseThrow().token();
    remembered.remember(hash, caller, found.orElseThrow().ends(), revocations);
    uses.note(token.id(), Objects.requireNonNullElse(token.used(), Instant.EPOCH), now);
    return Optional.of(caller);
  }

  private static Found found(ResultSet row, int number, byte[] hash) throws SQLException {
    Token token = token(row, number);
    boolean former = !Arrays.equals(hash, row.getBytes("hash"));
    return new Found(
        token,
        holder(row, token),
        former && token.formerUntil() != null ? token.formerUntil() : token.expires());
  }

  private static @Nullable AdminCaller holder(ResultSet row, Token token) throws SQLException {
    List<UUID> own = Objects.requireNonNullElse(token.containers(), List.of());
    if (token.owner() == null) {
      return AdminCaller.ofToken(token.id(), token.name(), token.role(), own);
    }
    Role role = RoleText.parse(row.getString("owner_role"));
    if (!row.getBoolean("owner_enabled") || !role.covers(token.role())) {
      return null;
    }
    List<UUID> owners = List.of((UUID[]) row.getArray("owner_containers").getArray());
    List<UUID> both = role.isBound() ? own.stream().filter(owners::contains).toList() : own;
    return AdminCaller.ofToken(token.id(), token.name(), token.role(), both);
  }

  /// Whether a token was valid when it was seen last, and has not been revoked since. This asks no
  /// database.
  public boolean isKnown(String text) {
    return file.is(text) || remembered(text).isPresent();
  }

  /// Forgets what is known of tokens, because rights have changed.
  public void forget() {
    remembered.revoked();
  }

  /// The caller whose token this is, as far as it is known without the database: it was valid at
  /// its last check and has neither expired nor been revoked since. For readers of what is needed
  /// while the database is away.
  public Optional<AdminCaller> remembered(String text) {
    return remembered.find(AdminToken.sha256(text), clock.instant());
  }

  /// An order for a new token.
  ///
  /// @param containers as [RoleBounds] wants them
  /// @param days 1 to [#MAX_DAYS]
  /// @param owner the account that makes it for itself; null for none
  public record Order(
      String name, Role role, @Nullable List<UUID> containers, int days, @Nullable UUID owner) {}

  /// Issues a token.
  ///
  /// @throws RequestRejectedException if the name is empty, too long or taken, the days are not 1
  ///   to [#MAX_DAYS], or the containers do not fit the role
  /// @throws VasaException (NotFound) if a container is unknown
  public Issued issue(Order order) {
    String name = order.name();
    Role role = order.role();
    List<UUID> containers = order.containers();
    int days = order.days();
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      throw RequestRejectedException.field(
          "name",
          "expected a name of 1 to %d characters, got %d"
              .formatted(MAX_NAME_LENGTH, name.length()));
    }
    requireDays(days);
    List<StorageContainer> within = bounds.of(role, containers);
    String text = newText();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Token token =
        new Token(
            UUID.randomUUID(),
            name,
            role,
            role.isBound() ? within.stream().map(StorageContainer::id).toList() : null,
            now,
            now.plus(days, ChronoUnit.DAYS),
            beginning(text),
            null,
            null,
            order.owner());
    transactions.executeWithoutResult(
        _ -> {
          requireRoom(order.owner());
          insert(token, AdminToken.sha256(text));
          note(ChangeKind.NEW, "New", token, within);
        });
    return new Issued(token, text);
  }

  private String newText() {
    byte[] secret = new byte[TOKEN_BYTES];
    random.nextBytes(secret);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  private static String beginning(String text) {
    return text.substring(0, SHOWN_CHARACTERS);
  }

  private static void requireDays(int days) {
    if (days < 1 || days > MAX_DAYS) {
      throw RequestRejectedException.field(
          "expiresInDays", "expected 1 to %d days, got %d".formatted(MAX_DAYS, days));
    }
  }

  private void requireRoom(@Nullable UUID owner) {
    if (owner == null) {
      return;
    }
    int has =
        jdbc.sql("select count(*) from api_token where owner = :owner")
            .param("owner", owner)
            .query(Integer.class)
            .single();
    if (has >= MOST_OF_ACCOUNT) {
      throw RequestRejectedException.conflict(
          "too-many-tokens",
          null,
          "expected an account with less than %d tokens of its own, but it has %d"
              .formatted(MOST_OF_ACCOUNT, has));
    }
  }

  /// Gives a token another text. The one before counts for a while, so that its users can change
  /// over; an even older one ends at once.
  ///
  /// @param days from now to its end, 1 to [#MAX_DAYS]; null leaves the end as it is
  /// @param graceMinutes for which the former text counts, 0 to [#MAX_GRACE_MINUTES]
  /// @throws RequestRejectedException if it is unknown, or a number is out of range
  public Issued rotate(UUID id, @Nullable Integer days, int graceMinutes) {
    if (days != null) {
      requireDays(days);
    }
    if (graceMinutes < 0 || graceMinutes > MAX_GRACE_MINUTES) {
      throw RequestRejectedException.field(
          "graceMinutes",
          "expected 0 to %d minutes, got %d".formatted(MAX_GRACE_MINUTES, graceMinutes));
    }
    String text = newText();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    transactions.executeWithoutResult(
        _ -> {
          Token before = require(id);
          Instant expires = days == null ? before.expires() : now.plus(days, ChronoUnit.DAYS);
          jdbc.sql(
                  """
                  update api_token
                     set former_hash = case when :grace then hash end,
                         former_until = case when :grace then cast(:until as timestamptz) end,
                         hash = :hash, beginning = :beginning, expires_at = :expires
                   where id = :id
                  """)
              .param("grace", graceMinutes > 0)
              .param("until", now.plus(graceMinutes, ChronoUnit.MINUTES).atOffset(ZoneOffset.UTC))
              .param("hash", AdminToken.sha256(text))
              .param("beginning", beginning(text))
              .param("expires", expires.atOffset(ZoneOffset.UTC))
              .param("id", id)
              .update();
          note(ChangeKind.UPDATE, "Rotated", require(id), List.of());
        });
    remembered.revoked();
    return new Issued(require(id), text);
  }

  private void insert(Token token, byte[] hash) {
    try {
      jdbc.sql(
              """
              insert into api_token
                (id, name, role, hash, created_at, expires_at, containers, beginning, owner)
              values (:id, :name, :role, :hash, :created, :expires, :containers, :beginning, :owner)
              """)
          .param("id", token.id())
          .param("name", token.name())
          .param("role", token.role().text())
          .param("hash", hash)
          .param("created", token.created().atOffset(ZoneOffset.UTC))
          .param("expires", token.expires().atOffset(ZoneOffset.UTC))
          .param("beginning", token.beginning())
          .param("owner", token.owner(), Types.OTHER)
          .param(
              "containers",
              Objects.requireNonNullElse(token.containers(), List.<UUID>of()).toArray(UUID[]::new))
          .update();
    } catch (DuplicateKeyException e) {
      throw RequestRejectedException.conflict(
          "name-taken",
          "name",
          "expected an unused token name, but '%s' is taken".formatted(token.name()));
    }
  }

  public List<Token> list() {
    return jdbc.sql(SELECT + " order by t.created_at, t.id").query(ApiTokens::token).list();
  }

  /// @throws RequestRejectedException if it is unknown
  public Token require(UUID id) {
    return jdbc.sql(SELECT + " where t.id = :id")
        .param("id", id)
        .query(ApiTokens::token)
        .optional()
        .orElseThrow(() -> RequestRejectedException.notFound("token", id));
  }

  /// @throws RequestRejectedException if it is unknown
  public void revoke(UUID id) {
    transactions.executeWithoutResult(
        _ ->
            note(
                ChangeKind.DELETE,
                "Delete",
                jdbc.sql(
                        "delete from api_token where id = :id"
                            + " returning *, array[]::uuid[] as bound_to")
                    .param("id", id)
                    .query(ApiTokens::token)
                    .optional()
                    .orElseThrow(() -> RequestRejectedException.notFound("token", id)),
                List.of()));
    remembered.revoked();
  }

  private void note(ChangeKind kind, String what, Token token, List<StorageContainer> within) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", token.name());
    parameters.put("token", token.id().toString());
    parameters.put("role", token.role().text());
    parameters.put("until", token.expires().toString());
    if (!within.isEmpty()) {
      parameters.put(
          "containers",
          within.stream().map(StorageContainer::text).collect(Collectors.joining(", ")));
    }
    String message = "Token" + (within.isEmpty() ? "" : "Bound") + what;
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.TOKEN, token.id().toString(), message),
            parameters));
  }

  private static Token token(ResultSet row, int number) throws SQLException {
    Role role = RoleText.parse(row.getString("role"));
    return new Token(
        row.getObject("id", UUID.class),
        row.getString("name"),
        role,
        role.isBound() ? List.of((UUID[]) row.getArray("bound_to").getArray()) : null,
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("expires_at", OffsetDateTime.class).toInstant(),
        row.getString("beginning"),
        time(row, "used_at"),
        time(row, "former_until"),
        row.getObject("owner", UUID.class));
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
