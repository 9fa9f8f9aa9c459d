package io.coppice.vasa.alert.delivery;

import io.coppice.vasa.alert.AlertSeverity;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A target: where alerts are sent.
///
/// @param least severity of alerts that are sent there
/// @param secret key of a webhook's signatures, or password of the mail server; null for none
/// @param ca certificates, in PEM, of authorities that may have signed the server's; null for those
///   of this Java
/// @param generation rises with each change
public record Target(
    UUID id,
    String name,
    boolean enabled,
    AlertSeverity least,
    Way way,
    @Nullable String secret,
    @Nullable String ca,
    long generation) {

  /// Never the secret.
  @Override
  public String toString() {
    return "Target[%s, %s]".formatted(id, name);
  }

  /// The way to a target.
  public sealed interface Way {}

  /// A server that gets each message as a POST.
  ///
  /// @param url of the scheme `https`, without user and fragment
  public record Webhook(URI url) implements Way {}

  /// A mail server.
  ///
  /// @param user null without a log-in
  public record Mail(
      String host, int port, Security security, @Nullable String user, String from, List<String> to)
      implements Way {
    public Mail {
      to = List.copyOf(to);
    }
  }

  /// The security of the way to a mail server.
  public enum Security {
    /// TLS by STARTTLS (RFC 3207), which is demanded.
    STARTTLS,
    /// TLS from the first byte on (RFC 8314).
    TLS,
    /// In the clear. Never with a password.
    NONE
  }
}
