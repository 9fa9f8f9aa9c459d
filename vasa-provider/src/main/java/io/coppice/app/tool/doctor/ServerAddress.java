package io.coppice.app.tool.doctor;

/// The address of a server.
///
/// @param name or address, an IPv6 address without brackets
record ServerAddress(String name, int port) {

  private static final String LOCAL = "127.0.0.1";

  /// Where a server is reached from its own machine.
  ///
  /// @param address that it listens at, as the settings say it
  static ServerAddress listening(String address, int port) {
    boolean all = address.equals("0.0.0.0") || address.equals("::") || address.isBlank();
    return new ServerAddress(all ? LOCAL : address, port);
  }

  /// `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, or a URL of these.
  ///
  /// @throws IllegalArgumentException if it is none of them
  static ServerAddress parse(String text, int defaultPort) {
    String rest = text.replaceFirst("^https?://", "").replaceFirst("/.*$", "");
    int colon = rest.lastIndexOf(':');
    boolean bracketed = rest.startsWith("[");
    boolean bareIpv6 = !bracketed && colon != rest.indexOf(':');
    boolean hasPort = colon > rest.lastIndexOf(']') && !bareIpv6;
    String name = (hasPort ? rest.substring(0, colon) : rest).replaceAll("[\\[\\]]", "");
    try {
      int port = hasPort ? Integer.parseInt(rest.substring(colon + 1)) : defaultPort;
      if (!name.isBlank() && port > 0 && port <= 65535) {
        return new ServerAddress(name, port);
      }
    } catch (NumberFormatException e) {
      throw refused(text, e);
    }
    throw refused(text, null);
  }

  private static IllegalArgumentException refused(
      String text, @org.jspecify.annotations.Nullable Exception cause) {
    return new IllegalArgumentException("expected HOST or HOST:PORT, got \"" + text + "\"", cause);
  }

  @Override
  public String toString() {
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }
}
