package io.coppice.admin.alert;

import io.coppice.admin.field.NameField;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.alert.AlertTargetDraft;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.delivery.Target;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The fields of a target, checked.
final class TargetFields {

  private static final String WEBHOOK = "webhook";
  private static final String MAIL = "mail";
  private static final int LONGEST_URL = 2000;
  private static final int LONGEST_SECRET = 256;
  private static final int SHORTEST_KEY = 16;
  private static final int LONGEST_CA = 65_536;
  private static final int LONGEST_ADDRESS = 254;
  private static final int MOST_RECIPIENTS = 32;

  private static final Pattern SERVER =
      Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]):([1-9]\\d{0,4})");

  /// An address without a display name, quotes, comments or anything that could end a header.
  private static final Pattern ADDRESS =
      Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,252})");

  private TargetFields() {}

  static Target made(AlertTargetDraft wanted) {
    String kind = RequestRejectedException.requireField("kind", wanted.kind());
    Target.Way way =
        switch (kind) {
          case WEBHOOK -> webhook(wanted, null);
          case MAIL -> mail(wanted, null);
          default -> throw refused("kind", "expected webhook or mail, got '%s'", kind);
        };
    Target made =
        new Target(
            UUID.randomUUID(),
            NameField.oneLine(wanted.name()),
            Objects.requireNonNullElse(wanted.enabled(), true),
            wanted.severity() == null ? AlertSeverity.WARNING : severity(wanted.severity()),
            way,
            secret(way, wanted.secret()),
            ca(wanted.ca()),
            0);
    requireSecret(made);
    return made;
  }

  static Target changed(Target now, AlertTargetDraft wanted) {
    String kind = kind(now);
    if (wanted.kind() != null && !wanted.kind().equals(kind)) {
      throw refused("kind", "expected %s, which never changes, got '%s'", kind, wanted.kind());
    }
    Target.Way way =
        switch (now.way()) {
          case Target.Webhook before -> webhook(wanted, before);
          case Target.Mail before -> mail(wanted, before);
        };
    String given = secret(way, wanted.secret());
    String ca = wanted.ca() == null ? now.ca() : ca(wanted.ca());
    requireAnew(now, way, ca, given);
    String secret =
        given != null || (way instanceof Target.Mail mail && mail.user() == null)
            ? given
            : now.secret();
    Target next =
        new Target(
            now.id(),
            wanted.name() == null ? now.name() : NameField.oneLine(wanted.name()),
            Objects.requireNonNullElse(wanted.enabled(), now.enabled()),
            wanted.severity() == null ? now.least() : severity(wanted.severity()),
            way,
            secret,
            ca,
            now.generation());
    requireSecret(next);
    return next.equals(now)
        ? now
        : new Target(
            next.id(),
            next.name(),
            next.enabled(),
            next.least(),
            next.way(),
            next.secret(),
            next.ca(),
            now.generation() + 1);
  }

  /// A password is not sent to another server, or over a weaker way, than the one it was given for.
  private static void requireAnew(
      Target now, Target.Way way, @Nullable String ca, @Nullable String given) {
    if (given == null
        && now.way() instanceof Target.Mail before
        && way instanceof Target.Mail after
        && after.user() != null
        && !(before.host().equals(after.host())
            && before.port() == after.port()
            && before.security() == after.security()
            && Objects.equals(ca, now.ca()))) {
      throw refused("secret", "expected the password anew, since the server changes, got none");
    }
  }

  private static void requireSecret(Target target) {
    switch (target.way()) {
      case Target.Webhook _ -> RequestRejectedException.requireField("secret", target.secret());
      case Target.Mail mail -> {
        if (mail.user() == null && target.secret() != null) {
          throw refused("user", "expected the user of the password, got none");
        }
        if (mail.user() != null) {
          RequestRejectedException.requireField("secret", target.secret());
        }
      }
    }
  }

  static String kind(Target target) {
    return target.way() instanceof Target.Mail ? MAIL : WEBHOOK;
  }

  private static AlertSeverity severity(String text) {
    return AlertSeverity.parse(text)
        .orElseThrow(
            () -> refused("severity", "expected one of %s, got '%s'", AlertSeverity.texts(), text));
  }

  private static Target.Webhook webhook(AlertTargetDraft wanted, Target.@Nullable Webhook before) {
    requireAbsent("server", wanted.server());
    requireAbsent("security", wanted.security());
    requireAbsent("user", wanted.user());
    requireAbsent("from", wanted.from());
    requireAbsent("to", wanted.to());
    if (wanted.url() == null && before != null) {
      return before;
    }
    return new Target.Webhook(url(RequestRejectedException.requireField("url", wanted.url())));
  }

  /// The text is not in the refusals: it may be a secret.
  private static URI url(String text) {
    if (text.length() > LONGEST_URL) {
      throw refused("url", "expected at most %d characters, got %d", LONGEST_URL, text.length());
    }
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw refused("url", "expected a URL such as https://host/path, got something else");
    }
    if (!"https".equalsIgnoreCase(url.getScheme()) || url.getHost() == null) {
      throw refused("url", "expected a URL of https with a host, got another one");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      throw refused("url", "expected a URL without user and fragment, got one with such");
    }
    return url;
  }

  private static Target.Mail mail(AlertTargetDraft wanted, Target.@Nullable Mail before) {
    requireAbsent("url", wanted.url());
    String server = wanted.server();
    if (server == null && before != null) {
      server = server(before);
    }
    Matcher parts = SERVER.matcher(RequestRejectedException.requireField("server", server));
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
      throw refused("server", "expected host:port, got '%s'", shown(String.valueOf(server)));
    }
    String host = parts.group(1);
    return new Target.Mail(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(parts.group(2)),
        security(wanted, before),
        user(wanted, before),
        address(
            "from",
            RequestRejectedException.requireField(
                "from", wanted.from() == null && before != null ? before.from() : wanted.from())),
        recipients(wanted.to() == null && before != null ? before.to() : wanted.to()));
  }

  static String server(Target.Mail mail) {
    return (mail.host().contains(":") ? "[%s]:%d" : "%s:%d").formatted(mail.host(), mail.port());
  }

  private static Target.Security security(AlertTargetDraft wanted, Target.@Nullable Mail before) {
    String text = wanted.security();
    Target.Security security =
        text == null
            ? before == null ? Target.Security.STARTTLS : before.security()
            : Arrays.stream(Target.Security.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(
                    () ->
                        refused(
                            "security", "expected starttls, tls or none, got '%s'", shown(text)));
    if (security == Target.Security.NONE && user(wanted, before) != null) {
      throw refused("security", "expected starttls or tls with a user, got none");
    }
    return security;
  }

  private static @Nullable String user(AlertTargetDraft wanted, Target.@Nullable Mail before) {
    String user = wanted.user();
    if (user == null) {
      return before == null ? null : before.user();
    }
    if (user.isEmpty()) {
      return null;
    }
    return plain("user", user, 1, LONGEST_ADDRESS);
  }

  private static List<String> recipients(@Nullable List<String> to) {
    List<String> all = RequestRejectedException.requireField("to", to);
    if (all.isEmpty() || all.size() > MOST_RECIPIENTS || all.stream().anyMatch(Objects::isNull)) {
      throw refused("to", "expected 1 to %d addresses, got %d", MOST_RECIPIENTS, all.size());
    }
    return all.stream().map(one -> address("to", one)).toList();
  }

  private static String address(String field, String text) {
    if (text.length() > LONGEST_ADDRESS || !ADDRESS.matcher(text).matches()) {
      throw refused(field, "expected an address such as ops@example.com, got '%s'", shown(text));
    }
    return text;
  }

  private static @Nullable String secret(Target.Way way, @Nullable String text) {
    return text == null
        ? null
        : plain("secret", text, way instanceof Target.Mail ? 1 : SHORTEST_KEY, LONGEST_SECRET);
  }

  private static String plain(String field, String text, int least, int most) {
    if (text.length() < least
        || text.length() > most
        || text.chars().anyMatch(Character::isISOControl)) {
      throw refused(
          field,
          "expected %d to %d characters, none of them a control character, got %d",
          least,
          most,
          text.length());
    }
    return text;
  }

  private static @Nullable String ca(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    if (text.length() > LONGEST_CA) {
      throw refused("ca", "expected at most %d characters, got %d", LONGEST_CA, text.length());
    }
    return text;
  }

  private static void requireAbsent(String field, @Nullable Object value) {
    if (value != null) {
      throw refused(field, "expected no '%s' with this kind of target, got one", field);
    }
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() > 80 ? line.substring(0, 80) + "…" : line;
  }

  private static RequestRejectedException refused(
      String field, String message, @Nullable Object... values) {
    return RequestRejectedException.field(field, message.formatted(values));
  }
}
