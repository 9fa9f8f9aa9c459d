package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.system.Token;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

  private static final int TOKEN_BYTES = 32;
  private static final UUID FILE = new UUID(0, 0);

  private final AdminToken file;
  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  ApiTokens(
      AdminToken file,
      JdbcClient jdbc,
      TransactionOperations transactions,
      ChangeLog changes,
      InstantSource clock) {
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
      return Optional.of(new AdminCaller(FILE, "admin.token", Role.ADMIN));
    }
    return jdbc.sql("select * from api_token where hash = :hash and expires_at > :now")
        .param("hash", AdminToken.sha256(text))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(ApiTokens::token)
        .optional()
        .map(token -> new AdminCaller(token.id(), token.name(), token.role()));
  }

  /// @throws RequestRejectedException if the name is empty, too long or taken, or the days are not
  ///   1 to [#MAX_DAYS]
  public Issued issue(String name, Role role, int days) {
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
    byte[] secret = new byte[TOKEN_BYTES];
    random.nextBytes(secret);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Token token = new Token(UUID.randomUUID(), name, role, now, now.plus(days, ChronoUnit.DAYS));
    transactions.executeWithoutResult(
        _ -> {
          insert(token, AdminToken.sha256(text));
          note(ChangeKind.NEW, token);
        });
    return new Issued(token, text);
  }

  private void insert(Token token, byte[] hash) {
    try {
      jdbc.sql(
              """
              insert into api_token (id, name, role, hash, created_at, expires_at)
              values (:id, :name, :role, :hash, :created, :expires)
              """)
          .param("id", token.id())
          .param("name", token.name())
          .param("role", token.role().text())
          .param("hash", hash)
          .param("created", token.created().atOffset(ZoneOffset.UTC))
          .param("expires", token.expires().atOffset(ZoneOffset.UTC))
          .update();
    } catch (DuplicateKeyException e) {
      throw RequestRejectedException.conflict(
          "name-taken",
          "name",
          "expected an unused token name, but '%s' is taken".formatted(token.name()));
    }
  }

  public List<Token> list() {
    return jdbc.sql("select * from api_token order by created_at, id")
        .query(ApiTokens::token)
        .list();
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
                jdbc.sql("delete from api_token where id = :id returning *")
                    .param("id", id)
                    .query(ApiTokens::token)
                    .optional()
                    .orElseThrow(() -> RequestRejectedException.notFound("token", id))));
  }

  private void note(ChangeKind kind, Token token) {
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject("Token", token.id().toString(), "Token" + kind.wireName()),
            Map.of(
                "name",
                token.name(),
                "token",
                token.id().toString(),
                "role",
                token.role().text(),
                "until",
                token.expires().toString())));
  }

  private static Token token(ResultSet row, int number) throws SQLException {
    return new Token(
        row.getObject("id", UUID.class),
        row.getString("name"),
        RoleText.parse(row.getString("role")),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("expires_at", OffsetDateTime.class).toInstant());
  }
}
