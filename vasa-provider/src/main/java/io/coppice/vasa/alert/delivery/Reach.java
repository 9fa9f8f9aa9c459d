package io.coppice.vasa.alert.delivery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// The addresses that a target may have.
final class Reach {

  private Reach() {}

  /// @throws IOException if the host has an address that nothing is sent to: link-local, where
  ///   clouds hand out credentials, multicast, unspecified, or this machine's own unless that is
  ///   allowed
  static void require(String host, boolean loopback) throws IOException {
    String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    for (InetAddress address : addresses(plain)) {
      if (address.isLinkLocalAddress()
          || address.isMulticastAddress()
          || address.isAnyLocalAddress()
          || (address.isLoopbackAddress() && !loopback)) {
        throw new IOException(
            "%s has the address %s, to which nothing is sent"
                .formatted(host, address.getHostAddress()));
      }
    }
  }

  private static InetAddress[] addresses(String host) throws IOException {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("the name %s does not resolve".formatted(host), e);
    }
  }
}
