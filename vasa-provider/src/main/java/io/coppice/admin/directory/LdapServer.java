package io.coppice.admin.directory;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/// A server of the directory.
///
/// @param url as it was set, for messages
/// @param tls whether TLS begins with the connection (`ldaps`)
record LdapServer(String url, String host, int port, boolean tls) {

  private static final int LDAP = 389;
  private static final int LDAPS = 636;

  /// @throws IllegalArgumentException if it is not `ldap://HOST[:PORT]` or `ldaps://HOST[:PORT]`
  static LdapServer parse(String url) {
    try {
      URI uri = new URI(url);
      boolean tls = "ldaps".equals(uri.getScheme());
      boolean bare =
          (uri.getPath() == null || uri.getPath().isEmpty() || uri.getPath().equals("/"))
              && uri.getRawQuery() == null
              && uri.getRawUserInfo() == null;
      String host = uri.getHost();
      if ((tls || "ldap".equals(uri.getScheme())) && bare && host != null && uri.getPort() != 0) {
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = uri.getPort() < 0 ? (tls ? LDAPS : LDAP) : uri.getPort();
        if (port <= 65535) {
          return new LdapServer(url, plain, port, tls);
        }
      }
    } catch (URISyntaxException e) {
      throw refusal(url, e);
    }
    throw refusal(url, null);
  }

  private static IllegalArgumentException refusal(String url, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "%sservers: expected ldaps://HOST[:PORT] or ldap://HOST[:PORT], got '%s'"
            .formatted(LdapSettings.KEY, url),
        cause);
  }
}
