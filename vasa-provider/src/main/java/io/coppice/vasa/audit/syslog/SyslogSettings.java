package io.coppice.vasa.audit.syslog;

import java.time.Duration;

/// A syslog server.
///
/// @param server host and port, such as `logs.example:6514`; an IPv6 address in brackets; empty for
///   none
/// @param transport how it is reached
/// @param ca file with the certificates, in PEM, of authorities that may have signed the server's;
///   empty for those of this Java
/// @param enterpriseNumber number of IANA in the name of the structured data, 1 to 4294967295
/// @param messageBytes longest message, 1024 to 65536 bytes
/// @param patience for a connection, a handshake, and each write, 1 second to 5 minutes
public record SyslogSettings(
    String server,
    Transport transport,
    String ca,
    long enterpriseNumber,
    int messageBytes,
    Duration patience) {

  private static final long MOST_ENTERPRISES = 0xFFFF_FFFFL;

  public SyslogSettings {
    within("enterprise-number", enterpriseNumber, 1L, MOST_ENTERPRISES);
    within("message-size", messageBytes, 1024, 65536);
    within("patience", patience, Duration.ofSeconds(1), Duration.ofMinutes(5));
    if (!server.isBlank()) {
      requireServer(server);
    }
  }

  /// A way of sending.
  public enum Transport {
    /// TLS over TCP (RFC 5425).
    TLS,
    /// TCP in the clear (RFC 6587, octet counting).
    TCP
  }

  /// Whether there is a server.
  public boolean isOn() {
    return !server.isBlank();
  }

  String host() {
    String host = server.substring(0, server.lastIndexOf(':'));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    return Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
  }

  private static void requireServer(String server) {
    if (!server.matches("(\\[[0-9a-fA-F:.]+]|[^\\s:\\[\\]]+):[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "coppice.audit.syslog.server: expected host:port such as logs.example:6514, got "
              + server);
    }
    within("server", Integer.parseInt(server.substring(server.lastIndexOf(':') + 1)), 1, 65535);
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.audit.syslog.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}
