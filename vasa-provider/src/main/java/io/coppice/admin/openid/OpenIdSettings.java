package io.coppice.admin.openid;

import io.coppice.admin.outside.RoleRules;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.util.unit.DataSize;

/// Settings of OpenID Connect; see `config/application.yaml` for each.
///
/// @param issuer URL of the authorization server, as it names itself; empty: none
/// @param unencrypted whether `http` is allowed
/// @param ca file of authorities in PEM; empty: those of this Java
/// @param redirectUri URL of the callback; empty: that of the management port
/// @param scopes asked for beside `openid`
/// @param roles `ROLE: GROUP`
public record OpenIdSettings(
    String issuer,
    boolean unencrypted,
    String ca,
    Client client,
    String redirectUri,
    List<String> scopes,
    Claims claims,
    List<String> roles,
    Limits limits) {

  static final String KEY = "coppice.openid.";

  public OpenIdSettings {
    scopes = List.copyOf(scopes);
    roles = List.copyOf(roles);
    requireUrl("issuer", issuer, unencrypted);
    requireUrl("redirect-uri", redirectUri, false);
    RoleRules.parse(KEY + "roles", roles, UnaryOperator.identity());
    if (!issuer.isBlank() && client.id.isBlank()) {
      throw new IllegalArgumentException(KEY + "client.id: expected an id, got none");
    }
  }

  /// The account of this provider at the authorization server.
  ///
  /// @param secretFile file whose first line is the secret; empty: a public client
  public record Client(String id, String secretFile) {}

  /// Names of claims of the ID token.
  ///
  /// @param name that people know somebody by
  /// @param groups list of the groups
  public record Claims(String name, String groups) {
    public Claims {
      if (name.isBlank() || groups.isBlank()) {
        throw new IllegalArgumentException(
            KEY + "claims: expected name and groups, got an empty one");
      }
    }
  }

  /// Limits of time and number.
  ///
  /// @param call longest time of a call to the authorization server, 100 ms to 5 min
  /// @param login longest time between the two ends of a login, 1 min to 1 h
  /// @param kept how long addresses and keys of the authorization server are kept, 1 min to 7 d
  /// @param renewal shortest time between two reads of them, 1 s to 1 h
  /// @param clockSkew difference of clocks that is allowed, 0 s to 5 min
  /// @param calls at a time, 1 to 256
  /// @param pending logins under way, 1 to 100000
  /// @param answer longest answer, 16 KiB to 16 MiB
  /// @param groups most groups of somebody, 1 to 100000
  public record Limits(
      Duration call,
      Duration login,
      Duration kept,
      Duration renewal,
      Duration clockSkew,
      int calls,
      int pending,
      DataSize answer,
      int groups) {
    public Limits {
      within("call", call, Duration.ofMillis(100), Duration.ofMinutes(5));
      within("login", login, Duration.ofMinutes(1), Duration.ofHours(1));
      within("kept", kept, Duration.ofMinutes(1), Duration.ofDays(7));
      within("renewal", renewal, Duration.ofSeconds(1), Duration.ofHours(1));
      within("clock-skew", clockSkew, Duration.ZERO, Duration.ofMinutes(5));
      within("calls", calls, 1, 256);
      within("pending", pending, 1, 100_000);
      within("answer", answer, DataSize.ofKilobytes(16), DataSize.ofMegabytes(16));
      within("groups", groups, 1, 100_000);
    }

    private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            "%slimits.%s: expected %s to %s, got %s".formatted(KEY, key, least, most, value));
      }
    }
  }

  /// Whether there is an authorization server.
  public boolean isOn() {
    return !issuer.isBlank();
  }

  /// The roles of the groups.
  public RoleRules rules() {
    return RoleRules.parse(KEY + "roles", roles, UnaryOperator.identity());
  }

  private static void requireUrl(String key, String text, boolean unencrypted) {
    if (text.isBlank()) {
      return;
    }
    try {
      URI uri = URI.create(text);
      boolean scheme =
          "https".equals(uri.getScheme()) || unencrypted && "http".equals(uri.getScheme());
      if (scheme && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
        return;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(refusal(key, text, unencrypted), e);
    }
    throw new IllegalArgumentException(refusal(key, text, unencrypted));
  }

  private static String refusal(String key, String text, boolean unencrypted) {
    return "%s%s: expected a URL with %s, got '%s'"
        .formatted(KEY, key, unencrypted ? "https or http" : "https", text);
  }
}
