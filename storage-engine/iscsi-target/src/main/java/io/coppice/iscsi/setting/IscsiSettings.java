package io.coppice.iscsi.setting;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/// Settings of where and how a target listens.
///
/// @param listen addresses and ports to listen at, at least one; port 0 takes a free one
/// @param advertised what initiators are told for each address in turn, as `address:port`; empty
///   for the addresses themselves; if we listen at all addresses, empty means the one that was
///   reached
/// @param threads event loops, at least 1
public record IscsiSettings(
    List<InetSocketAddress> listen, List<String> advertised, IscsiLimits limits, int threads) {

  public IscsiSettings {
    listen = List.copyOf(listen);
    advertised = List.copyOf(advertised);
    if (listen.isEmpty() || threads < 1) {
      throw new IllegalArgumentException(
          "expected an address to listen at and a thread, got %s and %d"
              .formatted(listen, threads));
    }
    if (!advertised.isEmpty() && advertised.size() != listen.size()) {
      throw new IllegalArgumentException(
          "expected as many advertised portals as there are addresses to listen at, got %s for %s"
              .formatted(advertised, listen));
    }
  }

  /// One portal on a free port of the loopback address.
  public static IscsiSettings loopback() {
    return new IscsiSettings(
        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        List.of(),
        IscsiLimits.defaults(),
        2);
  }
}
