package io.coppice.vasa.alert.delivery;

import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertTexts;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The rows of targets, whose secrets are sealed, and of messages that wait for them.
public final class TargetRows {

  private static final Logger log = LoggerFactory.getLogger(TargetRows.class);

  private static final String MAIL = "mail";
  private static final String WEBHOOK = "webhook";

  private final JdbcClient jdbc;
  private final SecretBox box;

  /// @param box seals the secrets
  public TargetRows(JdbcClient jdbc, SecretBox box) {
    this.jdbc = jdbc;
    this.box = box;
  }

  List<Target> all() {
    return jdbc.sql("SELECT * FROM alert_target").query((row, _) -> target(row)).list();
  }

  void save(Target target) {
    Target.Mail mail = target.way() instanceof Target.Mail one ? one : null;
    String url = target.way() instanceof Target.Webhook one ? one.url().toString() : null;
    String secret = target.secret();
    List<@Nullable Object> values = new ArrayList<>();
    Collections.addAll(
        values,
        target.id(),
        target.name(),
        mail == null ? WEBHOOK : MAIL,
        target.enabled(),
        target.least().text(),
        url == null ? null : box.seal(name(target.id(), "url"), url),
        mail == null ? null : mail.host(),
        mail == null ? null : mail.port(),
        mail == null ? null : mail.security().name(),
        mail == null ? null : mail.user(),
        mail == null ? null : mail.from(),
        mail == null ? null : mail.to().toArray(String[]::new),
        target.ca(),
        secret == null ? null : box.seal(name(target.id(), "secret"), secret),
        target.generation());
    jdbc.sql(
            """
            INSERT INTO alert_target (id, name, kind, enabled, severity, sealed_url, host, port,
              security, user_name, sender, recipients, ca, sealed_secret, generation)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, enabled = excluded.enabled,
              severity = excluded.severity, sealed_url = excluded.sealed_url, host = excluded.host,
              port = excluded.port, security = excluded.security, user_name = excluded.user_name,
              sender = excluded.sender, recipients = excluded.recipients, ca = excluded.ca,
              sealed_secret = excluded.sealed_secret, generation = excluded.generation
            """)
        .params(values)
        .update();
  }

  void delete(UUID target) {
    jdbc.sql("DELETE FROM alert_target WHERE id = ?").param(target).update();
  }

  /// The messages that wait for a target, in their order.
  List<Message> waiting(UUID target) {
    return jdbc.sql("SELECT * FROM alert_message WHERE target_id = ? ORDER BY place")
        .param(target)
        .query((row, _) -> message(row))
        .list();
  }

  void add(Collection<Message> messages) {
    for (Message message : messages) {
      List<@Nullable Object> values = new ArrayList<>();
      Collections.addAll(
          values,
          message.id(),
          message.target(),
          message.place(),
          message.event().name(),
          message.alert(),
          message.severity(),
          message.kind(),
          message.object(),
          message.sentences().cause(),
          message.sentences().effect(),
          message.sentences().remedy(),
          Timestamp.from(message.at()),
          message.target());
      jdbc.sql(
              """
              INSERT INTO alert_message (id, target_id, place, event, alert_id, severity, kind,
                object, cause, effect, remedy, at)
              SELECT ?, ?, ?, ?, CAST(? AS uuid), ?, ?, ?, ?, ?, ?, ?
              WHERE EXISTS (SELECT 1 FROM alert_target WHERE id = ?)
              ON CONFLICT (id) DO NOTHING
              """)
          .params(values)
          .update();
    }
  }

  void remove(Collection<UUID> messages) {
    if (!messages.isEmpty()) {
      jdbc.sql("DELETE FROM alert_message WHERE id = ANY (?)")
          .param(messages.toArray(UUID[]::new))
          .update();
    }
  }

  private static String name(UUID target, String field) {
    return "alert-target/%s/%s".formatted(target, field);
  }

  private Target target(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    String secret = opened(id, "secret", row.getString("sealed_secret"));
    String url = opened(id, "url", row.getString("sealed_url"));
    boolean mail = row.getString("kind").equals(MAIL);
    boolean readable =
        (mail || url != null) && (secret != null || row.getString("sealed_secret") == null);
    return new Target(
        id,
        row.getString("name"),
        row.getBoolean("enabled") && readable,
        AlertSeverity.parse(row.getString("severity")).orElse(AlertSeverity.WARNING),
        mail ? mail(row) : new Target.Webhook(URI.create(url == null ? "https://unknown" : url)),
        secret,
        row.getString("ca"),
        row.getLong("generation"));
  }

  private static Target.Mail mail(ResultSet row) throws SQLException {
    return new Target.Mail(
        row.getString("host"),
        row.getInt("port"),
        Target.Security.valueOf(row.getString("security")),
        row.getString("user_name"),
        row.getString("sender"),
        List.of((String[]) row.getArray("recipients").getArray()));
  }

  /// @return null if there is none, or it cannot be opened: then the target is off until it is
  ///   given anew
  private @Nullable String opened(UUID id, String field, @Nullable String sealed) {
    if (sealed == null) {
      return null;
    }
    try {
      return box.open(name(id, field), sealed);
    } catch (SecretsLockedException e) {
      log.atError()
          .addKeyValue("target", id)
          .log(
              "the {} of an alert target cannot be opened with alert.key: put the key back from a"
                  + " backup, or give the target a new one; until then nothing is sent there",
              field);
      return null;
    }
  }

  private static Message message(ResultSet row) throws SQLException {
    return new Message(
        row.getObject("id", UUID.class),
        row.getObject("target_id", UUID.class),
        row.getLong("place"),
        Message.Event.valueOf(row.getString("event")),
        row.getObject("alert_id", UUID.class),
        row.getString("severity"),
        row.getString("kind"),
        row.getString("object"),
        new AlertTexts.Sentences(
            row.getString("cause"), row.getString("effect"), row.getString("remedy")),
        row.getTimestamp("at").toInstant());
  }
}
