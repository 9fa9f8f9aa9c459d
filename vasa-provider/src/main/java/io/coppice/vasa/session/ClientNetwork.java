package io.coppice.vasa.session;

import java.net.InetAddress;
import java.util.HexFormat;

/// The network by which clients that guess are told apart: a client has a whole network of IPv6
/// addresses, but one address of IPv4.
public final class ClientNetwork {

  private static final int IPV6_BYTES = 16;

  private ClientNetwork() {}

  /// The first 64 bits of an IPv6 address in hex; any other text as it is.
  public static String of(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      return bytes.length == IPV6_BYTES
          ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2)
          : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
