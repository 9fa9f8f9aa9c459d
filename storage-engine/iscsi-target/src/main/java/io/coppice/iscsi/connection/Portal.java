package io.coppice.iscsi.connection;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// An address at which initiators reach the node. Safe for any thread.
public final class Portal {

  private final int number;
  private final InetSocketAddress address;
  private final String advertised;
  private final PortalConnections connections;
  private volatile boolean draining;

  /// @param number counted from 1 in the order of the settings
  /// @param address where it listens, with its real port
  /// @param advertised what initiators are told, as `address:port`; empty for the address itself
  /// @param connectionsMax connections that it may have, 1 and more
  public Portal(int number, InetSocketAddress address, String advertised, int connectionsMax) {
    this.number = number;
    this.address = address;
    this.advertised = advertised;
    this.connections = new PortalConnections(connectionsMax);
  }

  public int number() {
    return number;
  }

  public InetSocketAddress address() {
    return address;
  }

  public PortalConnections connections() {
    return connections;
  }

  public boolean isDraining() {
    return draining;
  }

  public void drain(boolean begin) {
    draining = begin;
  }

  /// The address that an initiator is told (RFC 7143 §13.8).
  ///
  /// @param reached the address of ours that it is connected to; a portal that listens at every
  ///   address of the machine is reached at that one too
  public String told(SocketAddress reached) {
    if (!advertised.isEmpty()) {
      return advertised;
    }
    boolean any = address.getAddress().isAnyLocalAddress();
    return any && reached instanceof InetSocketAddress known
        ? textOf(new InetSocketAddress(known.getAddress(), address.getPort()))
        : textOf(address);
  }

  /// `address:port`, an IPv6 address in brackets and without its zone.
  static String textOf(InetSocketAddress address) {
    String text = address.getAddress().getHostAddress();
    int zone = text.indexOf('%');
    String bare = zone < 0 ? text : text.substring(0, zone);
    return (address.getAddress() instanceof Inet6Address ? "[" + bare + "]" : bare)
        + ":"
        + address.getPort();
  }
}
