package io.coppice.vasa.replication.pairing;

import io.coppice.vasa.fault.VasaException;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a peer's links. It becomes a line of a record, so only what can stand in the name
/// of a host is taken.
public final class PeerAddress {

  private static final Pattern FORM =
      Pattern.compile(
          "(?:\\[([0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

  private static final int LONGEST = 262; // a host of 255 characters, brackets or not, and a port

  private PeerAddress() {}

  /// The address to call.
  ///
  /// @param text `host:port`, an IPv6 address in brackets
  /// @throws VasaException (InvalidArgument) if it has another form
  public static InetSocketAddress parse(String text) {
    Matcher matcher = matched(text);
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return new InetSocketAddress(host, Integer.parseInt(matcher.group(3)));
  }

  /// A text, if it is such an address. The name of the host is not resolved.
  ///
  /// @throws VasaException (InvalidArgument) if it has another form
  static String checked(String text) {
    return matched(text).group();
  }

  private static Matcher matched(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.length() > LONGEST || !matcher.matches() || !isPort(matcher.group(3))) {
      throw VasaException.invalidArgument(
              "expected host:port such as 10.0.0.1:9444 as the address of a peer's links, got "
                  + PeerText.quoted(text))
          .about("address");
    }
    return matcher;
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= 65535;
  }
}
