package io.coppice.app.tls;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.PeerText;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The REST API of another pool.
///
/// @param host as in a URL: an IPv6 address in brackets
record PairingServer(String host, int port) {

  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

  private static final int USUAL_PORT = 9443;
  private static final int LONGEST = 262; // a host of 255 characters, brackets or not, and a port

  /// @param address `host`, `host:port` or `[IPv6]:port`
  /// @throws VasaException (InvalidArgument) if it has another form, such as a URL
  static PairingServer parse(String address) {
    Matcher matcher = FORM.matcher(address);
    if (address.length() <= LONGEST && matcher.matches()) {
      String digits = matcher.group(2);
      int port = digits == null ? USUAL_PORT : Integer.parseInt(digits);
      PairingServer server = new PairingServer(matcher.group(1), port);
      if (port >= 1 && port <= 65535 && server.isHost()) {
        return server;
      }
    }
    throw VasaException.invalidArgument(
            "expected host or host:port of the other pool's REST API, such as 10.0.0.1:9443, got "
                + PeerText.quoted(address))
        .about("address");
  }

  /// Whether the host can stand in a URL.
  private boolean isHost() {
    try {
      return host.equals(new URI("https", null, host, port, "/", null, null).getHost());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  URI pairings() {
    return URI.create("https://%s/api/v1/replication/pairings".formatted(this));
  }

  InetSocketAddress socketAddress() {
    return new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
