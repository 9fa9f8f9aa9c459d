package io.coppice.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int LOOKS = 300;

  @Test
  void nobodyConnectsToAPortThatIsOnlyLookedAt() throws Exception {
    int port = freePort();
    var wanted = List.of(FreePorts.Wanted.of("coppice.iscsi", "127.0.0.1", port));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger connected = new AtomicInteger();
    Thread client =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    connect(port, connected);
                  }
                });

    for (int i = 0; i < LOOKS; i++) {
      FreePorts.require(wanted);
    }
    over.set(true);
    client.join();

    assertThat(connected).hasValue(0);
  }

  @Test
  void portAtAllAddressesExcludesTheSameAtOne() throws Exception {
    int port = freePort();
    var wanted =
        List.of(
            FreePorts.Wanted.of("coppice.iscsi", "0.0.0.0", port),
            FreePorts.Wanted.of("coppice.vasa", "127.0.0.1", port));

    assertThatThrownBy(() -> FreePorts.require(wanted))
        .isInstanceOf(StartupException.class)
        .hasMessage("coppice.vasa.port: expected a free port, but %d is in use at 127.0.0.1", port);
  }

  private static void connect(int port, AtomicInteger connected) {
    try (var socket = new Socket(LOOPBACK, port)) {
      // A free port that is among those for clients may connect to itself.
      if (socket.getLocalPort() != port) {
        connected.incrementAndGet();
      }
    } catch (IOException _) {
      // refused, as it must be
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }
}
