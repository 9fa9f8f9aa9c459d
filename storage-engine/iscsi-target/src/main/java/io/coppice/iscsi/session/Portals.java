package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.Portal;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// The portals of a node. They form one portal group: every portal reaches every target. Safe for
/// any thread.
public final class Portals {

  private final List<Portal> all = new CopyOnWriteArrayList<>();
  private final List<String> advertised;
  private final int connectionsMax;
  private final LoginRedirects homes = new LoginRedirects(System::nanoTime);

  /// @param advertised the address that initiators are told for each portal in turn; empty for
  ///   their addresses
  /// @param connectionsMax connections that each portal may have, 1 and more
  public Portals(List<String> advertised, int connectionsMax) {
    this.advertised = List.copyOf(advertised);
    this.connectionsMax = connectionsMax;
  }

  /// Adds a portal. Not for two threads at a time.
  public Portal add(InetSocketAddress address) {
    int number = all.size() + 1;
    Portal portal =
        new Portal(
            number,
            address,
            advertised.isEmpty() ? "" : advertised.get(number - 1),
            connectionsMax);
    all.add(portal);
    return portal;
  }

  /// The initiator ports on their way from one portal to another.
  LoginRedirects homes() {
    return homes;
  }

  public List<Portal> all() {
    return List.copyOf(all);
  }

  public Optional<Portal> find(int number) {
    return all.stream().filter(it -> it.number() == number).findFirst();
  }

  /// The addresses where initiators may log in now. If none is left, all of them: an answer without
  /// an address would mean the one that was asked (RFC 7143 Appendix C).
  ///
  /// @param reached the address of ours that the initiator is connected to
  List<String> open(SocketAddress reached) {
    List<String> open =
        all.stream().filter(it -> !it.isDraining()).map(it -> it.told(reached)).toList();
    return open.isEmpty() ? all.stream().map(it -> it.told(reached)).toList() : open;
  }

  /// The address for an initiator that is not welcome at a portal: one of the same kind if there is
  /// one.
  ///
  /// @param reached the address of ours that the initiator is connected to
  /// @return empty if there is none
  Optional<String> insteadOf(Portal portal, SocketAddress reached) {
    List<Portal> others = all.stream().filter(it -> it != portal && !it.isDraining()).toList();
    return others.stream()
        .filter(it -> family(it) == family(portal))
        .findFirst()
        .or(() -> others.stream().findFirst())
        .map(it -> it.told(reached));
  }

  private static Class<?> family(Portal portal) {
    return portal.address().getAddress().getClass();
  }
}
