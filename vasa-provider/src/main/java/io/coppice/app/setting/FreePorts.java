package io.coppice.app.setting;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/// The look for free ports, before a start makes or changes anything on disk.
///
/// The ports are given back at once. If another process takes one before the real opening, that
/// fails with a sentence too.
public final class FreePorts {

  private FreePorts() {}

  private record Wanted(String key, String address, int port) {}

  /// Takes all ports at once, so that two settings of the same port are found too.
  ///
  /// @throws StartupException if one cannot be listened at
  public static void require(CoppiceProperties settings) {
    List<Wanted> wanted = new ArrayList<>();
    settings
        .iscsi()
        .listen()
        .forEach(each -> wanted.add(new Wanted("coppice.iscsi", each.address(), each.port())));
    wanted.add(new Wanted("coppice.vasa", settings.vasa().address(), settings.vasa().port()));
    wanted.add(
        new Wanted(
            "coppice.management", settings.management().address(), settings.management().port()));
    List<ServerSocket> taken = new ArrayList<>();
    try {
      for (Wanted each : wanted) {
        taken.add(take(each));
      }
    } finally {
      taken.forEach(FreePorts::release);
    }
  }

  private static ServerSocket take(Wanted wanted) {
    var address = new InetSocketAddress(wanted.address(), wanted.port());
    if (address.isUnresolved()) {
      throw new StartupException(
          "%s.address: expected an address of this machine, got \"%s\", which is none"
              .formatted(wanted.key(), wanted.address()));
    }
    try {
      var socket = new ServerSocket();
      try {
        socket.setReuseAddress(true);
        socket.bind(address);
        return socket;
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw new StartupException(refusal(wanted, e), e);
    }
  }

  private static String refusal(Wanted wanted, IOException e) {
    boolean inUse = e instanceof BindException && String.valueOf(e.getMessage()).contains("in use");
    return inUse
        ? "%s.port: expected a free port, but %d is in use at %s"
            .formatted(wanted.key(), wanted.port(), wanted.address())
        : "%s: expected an address and port that can be listened at, got %s:%d: %s"
            .formatted(wanted.key(), wanted.address(), wanted.port(), e.getMessage());
  }

  private static void release(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new StartupException("a port cannot be given back: " + e.getMessage(), e);
    }
  }
}
