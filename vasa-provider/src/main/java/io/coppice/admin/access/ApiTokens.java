package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.system.Token;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.VasaException;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

  /// Most storage containers that a token is bound to.
  static final int MAX_CONTAINERS = 64;

  /// A container that is gone is one of no token any more.
  private static final String SELECT =
      """
      select t.*, array(select c.id from container c where c.id = any(t.containers)
                         order by array_position(t.containers, c.id)) as bound_to
        from api_token t
      """;

  private static final int TOKEN_BYTES = 32;
  private static final UUID FILE = new UUID(0, 0);

  private final AdminToken file;
  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final Containers containers;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final RememberedTokens remembered = new RememberedTokens();

  ApiTokens(
      AdminToken file,
      JdbcClient jdbc,
      TransactionOperations transactions,
      ChangeLog changes,
      Containers containers,
      InstantSource clock) {
    this.containers = containers;
    this.file = file;
    this.transactions = transactions;
    this.changes = changes;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /// A token that was made now.
  public record Issued(Token token, String text) {}

  /// The caller whose token this is; empty if it is no token or has expired.
  public Optional<AdminCaller> authenticate(String text) {
    if (file.is(text)) {
      return Optional.of(new AdminCaller(FILE, "admin.token", Role.ADMIN, List.of()));
    }
    byte[] hash = AdminToken.sha256(text);
    long revocations = remembered.revocations();
    Optional<Token> found =
        jdbc.sql(SELECT + " where hash = :hash and expires_at > :now")
            .param("hash", hash)
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .query(ApiTokens::token)
            .optional();
    found.ifPresentOrElse(
        token -> remembered.remember(hash, caller(token), token.expires(), revocations),
        () -> remembered.forget(hash));
    return found.map(ApiTokens::caller);
  }

  /// The caller whose token this is, as far as it is known without the database: it was valid at
  /// its last check and has neither expired nor been revoked since. For readers of what is needed
  /// while the database is away.
  public Optional<AdminCaller> remembered(String text) {
    return remembered.find(AdminToken.sha256(text), clock.instant());
  }

  private static AdminCaller caller(Token token) {
    return new AdminCaller(
        token.id(),
        token.name(),
        token.role(),
        Objects.requireNonNullElse(token.containers(), List.of()));
  }

  /// Issues a token.
  ///
  /// @param containers that it is bound to: 1 to [#MAX_CONTAINERS] known ones for a role that is
  ///   bound, else null
  /// @throws RequestRejectedException if the name is empty, too long or taken, the days are not 1
  ///   to [#MAX_DAYS], or the containers do not fit the role
  /// @throws VasaException (NotFound) if a container is unknown
  public Issued issue(String name, Role role, @Nullable List<UUID> containers, int days) {
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      throw RequestRejectedException.field(
          "name",
          "expected a name of 1 to %d characters, got %d"
              .formatted(MAX_NAME_LENGTH, name.length()));
    }
    if (days < 1 || days > MAX_DAYS) {
      throw RequestRejectedException.field(
          "expiresInDays", "expected 1 to %d days, got %d".formatted(MAX_DAYS, days));
    }
    List<StorageContainer> bounds = bounds(role, containers);
    byte[] secret = new byte[TOKEN_BYTES];
    random.nextBytes(secret);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Token token =
        new Token(
            UUID.randomUUID(),
            name,
            role,
            role.isBound() ? bounds.stream().map(StorageContainer::id).toList() : null,
            now,
            now.plus(days, ChronoUnit.DAYS));
    transactions.executeWithoutResult(
        _ -> {
          insert(token, AdminToken.sha256(text));
          note(ChangeKind.NEW, token, bounds);
        });
    return new Issued(token, text);
  }

  private List<StorageContainer> bounds(Role role, @Nullable List<UUID> wanted) {
    if (role.isBound() != (wanted != null)) {
      throw RequestRejectedException.field(
          "containers",
          role.isBound()
              ? "expected the ids of 1 to %d storage containers with the role %s, got none"
                  .formatted(MAX_CONTAINERS, role.text())
              : "expected no containers with the role %s, which is bound to none, got some"
                  .formatted(role.text()));
    }
    if (wanted == null) {
      return List.of();
    }
    if (wanted.isEmpty() || wanted.size() > MAX_CONTAINERS) {
      throw RequestRejectedException.field(
          "containers",
          "expected 1 to %d storage containers, got %d".formatted(MAX_CONTAINERS, wanted.size()));
    }
    if (wanted.stream().anyMatch(Objects::isNull) || Set.copyOf(wanted).size() < wanted.size()) {
      throw RequestRejectedException.field(
          "containers", "expected ids of storage containers, each once, got %s".formatted(wanted));
    }
    return RequestRejectedException.about("containers", () -> containers.require(wanted));
  }

  private void insert(Token token, byte[] hash) {
    try {
      jdbc.sql(
              """
              insert into api_token (id, name, role, hash, created_at, expires_at, containers)
              values (:id, :name, :role, :hash, :created, :expires, :containers)
              """)
          .param("id", token.id())
          .param("name", token.name())
          .param("role", token.role().text())
          .param("hash", hash)
          .param("created", token.created().atOffset(ZoneOffset.UTC))
          .param("expires", token.expires().atOffset(ZoneOffset.UTC))
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
    return jdbc.sql(SELECT + " order by created_at, id").query(ApiTokens::token).list();
  }

  /// @throws RequestRejectedException if it is unknown
  public Token require(UUID id) {
    return jdbc.sql("select * from api_token where id = :id")
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

  private void note(ChangeKind kind, Token token, List<StorageContainer> bounds) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", token.name());
    parameters.put("token", token.id().toString());
    parameters.put("role", token.role().text());
    parameters.put("until", token.expires().toString());
    if (!bounds.isEmpty()) {
      parameters.put(
          "containers",
          bounds.stream().map(StorageContainer::text).collect(Collectors.joining(", ")));
    }
    String message = "Token" + (bounds.isEmpty() ? "" : "Bound") + kind.wireName();
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject("Token", token.id().toString(), message),
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
        row.getObject("expires_at", OffsetDateTime.class).toInstant());
  }
}
