package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Strangers that connect to one portal again and again and say nothing, while initiators log in.
@Timeout(120)
class CrowdedPortalTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;
  private static final int SILENT = 1500;
  private static final int CONNECTIONS = 64;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final List<Socket> silent = new ArrayList<>();
  private IscsiTarget target;

  @BeforeEach
  void start() {
    start(CONNECTIONS);
  }

  private void start(int connections) {
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    target =
        IscsiTarget.start(
            new IscsiSettings(
                List.of(any, any),
                List.of(),
                IscsiLimits.defaults().withConnections(connections),
                2),
            List.of(disk),
            _ -> Optional.empty());
  }

  @AfterEach
  void close() throws IOException {
    for (Socket each : silent) {
      each.close();
    }
    await("sessions to end", () -> target.sessions() == 0);
    assertThat(target.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
    target.close();
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("expected " + what + " within 60 s");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private InetSocketAddress portal(int number) {
    return target.portals().get(number - 1);
  }

  /// @param from an address of this machine that it comes from
  private Socket connect(String from) throws IOException {
    return new Socket(portal(1).getAddress(), portal(1).getPort(), InetAddress.getByName(from), 0);
  }

  private void crowd(String from) throws IOException {
    for (int i = 0; i < SILENT; i++) {
      silent.add(connect(from));
    }
  }

  private void expectServed(InetSocketAddress portal, long isid) throws IOException {
    try (SocketInitiator initiator = new SocketInitiator(portal)) {
      assertThat(initiator.logIn(isid, WHO, WHERE).loginStatus()).isZero();
      initiator.command(0, 1, 0xc1, 512, READ_10.formatted(1));
      assertThat(initiator.receive().opcode()).isEqualTo(0x25);
    }
  }

  @Test
  void initiatorsLogInAtEveryPortalWhileOneIsFullOfSilence() throws IOException {
    crowd("127.0.0.1");

    expectServed(portal(2), 1);
    expectServed(portal(1), 2);

    assertThat(target.counters().of(PeerFault.CROWDED_OUT)).isGreaterThan(1000);
    assertThat(target.counters().of(PeerFault.TOO_MANY_CONNECTIONS)).isZero();
  }

  @Test
  void initiatorsLogInWhileAStrangerGoesOnConnecting() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread stranger =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.get() && silent.size() < 20_000) {
                    try {
                      silent.add(connect("127.0.0.2"));
                      if (silent.size() > SILENT) {
                        silent.removeFirst().close();
                      }
                    } catch (IOException portsUsedUp) {
                      LockSupport.parkNanos(1_000_000);
                    }
                  }
                });
    try {
      await("the portal to be full", () -> target.counters().of(PeerFault.CROWDED_OUT) > 0);
      for (int i = 0; i < 50; i++) {
        expectServed(portal(1 + i % 2), i);
      }
    } finally {
      stop.set(true);
      stranger.join();
    }
  }

  @Test
  void whoIsLoggedInNeverGivesWay() throws IOException {
    try (SocketInitiator first = new SocketInitiator(portal(1))) {
      assertThat(first.logIn(1, WHO, WHERE).loginStatus()).isZero();

      crowd("127.0.0.1");

      first.command(0, 1, 0xc1, 512, READ_10.formatted(1));
      assertThat(first.receive().opcode()).isEqualTo(0x25);
    }
  }

  @Test
  void connectionsThatAreClosingGiveWayToo() throws IOException {
    target.close();
    start(4);
    for (int i = 0; i < 8; i++) {
      SocketInitiator leaves = new SocketInitiator(portal(1), 4096);
      silent.add(leaves.socket());
      assertThat(leaves.logIn(i, WHO, WHERE).loginStatus()).isZero();
      for (int tag = 0; tag < 6; tag++) {
        leaves.command(0, tag, 0xc1, 1 << 20, READ_10.formatted(2048));
      }
      leaves.logOut(99);
      await("the session to end", () -> target.sessions() == 0);
    }

    expectServed(portal(1), 1);
    assertThat(target.counters().of(PeerFault.TOO_MANY_CONNECTIONS)).isZero();
  }
}
