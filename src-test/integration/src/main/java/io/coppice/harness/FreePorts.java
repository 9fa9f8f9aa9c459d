package io.coppice.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Free ports of loopback below those that the kernel gives to connections: neither another
/// program's connection nor our own probe can take one while nobody listens there. A port is given
/// away once in each process.
public final class FreePorts {

  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 1_000;
  private static final Set<Integer> TAKEN = new HashSet<>(); // under the lock of the class

  private FreePorts() {}

  /// So many ports, each another one.
  ///
  /// @throws Mismatch if there are not so many
  public static synchronized List<Integer> take(int count) {
    List<Integer> free = new ArrayList<>();
    for (int port : new SecureRandom().ints(FIRST, LAST).distinct().limit(TRIES).toArray()) {
      if (free.size() < count && !TAKEN.contains(port) && isFree(port)) {
        free.add(port);
      }
    }
    if (free.size() < count) {
      throw new Mismatch("expected %d free ports from %d to %d".formatted(count, FIRST, LAST));
    }
    TAKEN.addAll(free);
    return List.copyOf(free);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
