package io.coppice.app.setting;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/// The look for free ports, before a start makes or changes anything on disk.
///
/// The ports are bound, not listened at: nobody can connect to a provider that has not started.
/// They are given back at once. If another process takes one before the real opening, that fails
/// with a sentence too.
public final class FreePorts {

  private FreePorts() {}

  /// An address and port of a service; `key` is the part of its settings' names before them.
  record Wanted(String key, InetSocketAddress address) {

    static Wanted of(String key, String address, int port) {
      return new Wanted(key, new InetSocketAddress(address, port));
    }

    int port() {
      return address.getPort();
    }

    boolean excludes(Wanted other) {
      return port() != 0
          && port() == other.port()
          && (address.equals(other.address) || isWildcard() || other.isWildcard());
    }

    private boolean isWildcard() {
      return !address.isUnresolved() && address.getAddress().isAnyLocalAddress();
    }
  }

  /// Binds each port, and finds two settings of the same port too.
  ///
  /// @throws StartupException if one cannot be listened at
  public static void require(CoppiceProperties settings) {
    List<Wanted> wanted = new ArrayList<>();
    settings
        .iscsi()
        .listen()
        .forEach(each -> wanted.add(Wanted.of("coppice.iscsi", each.address(), each.port())));
    wanted.add(Wanted.of("coppice.vasa", settings.vasa().address(), settings.vasa().port()));
    wanted.add(
        Wanted.of(
            "coppice.management", settings.management().address(), settings.management().port()));
    require(wanted);
  }

  static void require(List<Wanted> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      requireFree(wanted.get(i));
      requireDistinct(wanted.get(i), wanted.subList(0, i));
    }
  }

  private static void requireDistinct(Wanted wanted, List<Wanted> others) {
    if (others.stream().anyMatch(wanted::excludes)) {
      throw new StartupException(inUse(wanted));
    }
  }

  private static void requireFree(Wanted wanted) {
    InetSocketAddress address = wanted.address();
    if (address.isUnresolved()) {
      throw new StartupException(
          "%s.address: expected an address of this machine, got \"%s\", which is none"
              .formatted(wanted.key(), address.getHostString()));
    }
    try (var socket = new Socket()) {
      socket.setReuseAddress(true); // connections of the provider before may still be ending
      socket.bind(address);
    } catch (BindException e) {
      boolean isInUse = String.valueOf(e.getMessage()).contains("in use");
      throw new StartupException(isInUse ? inUse(wanted) : cannotListen(wanted, e), e);
    } catch (IOException e) {
      throw new StartupException(cannotListen(wanted, e), e);
    }
  }

  private static String inUse(Wanted wanted) {
    return "%s.port: expected a free port, but %d is in use at %s"
        .formatted(wanted.key(), wanted.port(), wanted.address().getHostString());
  }

  private static String cannotListen(Wanted wanted, IOException e) {
    return "%s: expected an address and port that can be listened at, got %s:%d: %s"
        .formatted(wanted.key(), wanted.address().getHostString(), wanted.port(), e.getMessage());
  }
}
