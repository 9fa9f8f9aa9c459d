package io.coppice.app.setting;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The names and addresses by which others reach this process: in what it prints, in URLs and in
/// what REST returns.
///
/// A name in the settings counts first (`coppice.tls.names`), because an administrator knows which
/// names others can resolve. This machine's own name may be unknown to others, so its address
/// stands in for it.
public final class AdvertisedAddresses {

  /// An address of a network for documents (RFC 5737): nothing is sent there, only routed.
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("192.0.2.1", 9);

  private final CoppiceProperties settings;

  public AdvertisedAddresses(CoppiceProperties settings) {
    this.settings = settings;
  }

  /// URL of the VASA service's port.
  public URI vasa(int port, String path) {
    return url(settings.vasa().address(), port, path);
  }

  /// URL of the management port.
  public URI management(int port, String path) {
    return url(settings.management().address(), port, path);
  }

  /// The host and port at which peers reach the links of this pool.
  ///
  /// @param port the one that was taken
  public String links(int port) {
    String advertised = settings.replication().advertise();
    return withPort(
        advertised.isBlank() ? server(settings.replication().address()) : advertised, port);
  }

  /// The addresses of portals that initiators receive, each as `address:port`.
  ///
  /// @param listening their addresses, in their order
  public List<String> portals(List<InetSocketAddress> listening) {
    List<String> advertised = settings.iscsi().advertise();
    return IntStream.range(0, listening.size())
        .mapToObj(
            i ->
                advertised.isEmpty()
                    ? reachable(listening.get(i))
                    : withPort(advertised.get(i), listening.get(i).getPort()))
        .toList();
  }

  /// The advertised address of a portal. Adds the port if it lacks one.
  public static String withPort(String advertised, int port) {
    return advertised.matches("[^:]+|\\[[^]]*]") ? advertised + ":" + port : advertised;
  }

  private String reachable(InetSocketAddress portal) {
    InetAddress address = portal.getAddress();
    String server = address.isAnyLocalAddress() ? nameForAll() : bracketed(address);
    return server + ":" + portal.getPort();
  }

  private URI url(String listening, int port, String path) {
    return URI.create("https://%s:%d%s".formatted(server(listening), port, path));
  }

  private String server(String listening) {
    try {
      InetAddress address = InetAddress.getByName(listening);
      boolean named = !settings.tls().names().isEmpty();
      return named || address.isAnyLocalAddress() ? nameForAll() : bracketed(address);
    } catch (UnknownHostException e) {
      return nameForAll();
    }
  }

  private String nameForAll() {
    List<String> names = settings.tls().names();
    return names.isEmpty() ? bracketed(ofThisMachine()) : bracketed(names.getFirst());
  }

  /// The address from which this machine would speak to others; a loopback address if it has no
  /// other.
  static InetAddress ofThisMachine() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(ANYWHERE);
      InetAddress routed = socket.getLocalAddress();
      if (isUsable(routed)) {
        return routed;
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      return ofAnyCard(); // there is no route to anywhere
    }
    return ofAnyCard();
  }

  private static InetAddress ofAnyCard() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(AdvertisedAddresses::isUsable)
          .min(Comparator.comparing(address -> address instanceof Inet4Address ? 0 : 1))
          .orElseGet(InetAddress::getLoopbackAddress);
    } catch (SocketException e) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static boolean isUsable(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()
        && !address.isLinkLocalAddress();
  }

  private static String bracketed(InetAddress address) {
    String text = address.getHostAddress().replaceFirst("%.*", "");
    return address instanceof Inet6Address ? "[" + text + "]" : text;
  }

  private static String bracketed(String name) {
    return name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
  }
}
