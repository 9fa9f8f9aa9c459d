package io.coppice.iscsi.connection;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/// The connections of one portal, up to its limit. Those that are not logged in, or not any more,
/// give way to new ones. Safe for any thread.
///
/// The one that gives way is the oldest from the address with the most of them. So a peer that
/// connects again and again and says nothing hinders itself first.
public final class PortalConnections {

  private final int limit;

  // Guarded by this.
  private final Set<Connection> loggedIn = new HashSet<>();

  // Guarded by this.
  private final Set<Connection> others = new HashSet<>();

  // Guarded by this; by address, oldest first.
  private final Map<InetAddress, SequencedSet<Connection>> byAddress = new HashMap<>();

  /// @param limit connections, 1 and more
  PortalConnections(int limit) {
    this.limit = limit;
  }

  /// Takes in a new connection. If there are too many, another gives way: it is no longer counted,
  /// and the caller has to drop it.
  ///
  /// @return whether it was taken in, and the one that has given way
  public synchronized Admission admit(Connection connection) {
    Optional<Connection> goes = Optional.empty();
    if (loggedIn.size() + others.size() >= limit) {
      goes = oldest();
      if (goes.isEmpty()) {
        return new Admission(false, goes);
      }
      goes.ifPresent(this::remove);
    }
    add(connection);
    return new Admission(true, goes);
  }

  /// @param goes the connection that has given way
  public record Admission(boolean admitted, Optional<Connection> goes) {}

  /// It gives way to none from now on.
  synchronized void loggedIn(Connection connection) {
    if (remove(connection)) {
      loggedIn.add(connection);
    }
  }

  /// It is about to end, and gives way until then.
  synchronized void ending(Connection connection) {
    if (loggedIn.remove(connection)) {
      add(connection);
    }
  }

  /// It has ended.
  public synchronized void ended(Connection connection) {
    loggedIn.remove(connection);
    remove(connection);
  }

  // Guarded by this.
  private Optional<Connection> oldest() {
    return byAddress.values().stream()
        .max(Comparator.comparingInt(SequencedSet::size))
        .map(SequencedSet::getFirst);
  }

  // Guarded by this.
  private void add(Connection connection) {
    others.add(connection);
    byAddress.computeIfAbsent(connection.from(), _ -> new LinkedHashSet<>()).add(connection);
  }

  // Guarded by this.
  private boolean remove(Connection connection) {
    if (!others.remove(connection)) {
      return false;
    }
    byAddress.computeIfPresent(
        connection.from(),
        (_, those) -> {
          those.remove(connection);
          return those.isEmpty() ? null : those;
        });
    return true;
  }
}
