package io.coppice.cli.profile;

import io.coppice.cli.failure.CommandFailedException;
import java.net.URI;
import java.net.URISyntaxException;

/// The URL of a provider's management port, such as `https://array-1:9443`.
public final class ProviderAddress {

  private ProviderAddress() {}

  /// The URL without a path.
  ///
  /// @param text host, host and port, or URL; the port is 9443 if it has none
  /// @throws CommandFailedException if it is none of these
  public static URI parse(String text) {
    String url = text.contains("://") ? text : "https://" + text;
    try {
      URI parsed = new URI(url);
      String path = parsed.getPath();
      if ("https".equals(parsed.getScheme())
          && parsed.getHost() != null
          && parsed.getUserInfo() == null
          && (path == null || path.isEmpty() || path.equals("/"))
          && parsed.getQuery() == null) {
        int port = parsed.getPort() == -1 ? 9443 : parsed.getPort();
        return new URI("https://%s:%d".formatted(parsed.getHost(), port));
      }
    } catch (URISyntaxException e) {
      // Said below.
    }
    throw CommandFailedException.usage("expected a URL like https://HOST:9443, got '%s'", text);
  }
}
