package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.iscsi.SocketInitiator.Received;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several portals at real sockets, IPv4 and IPv6.
@Timeout(60)
class PortalsTest {

  private static final String WHO = "InitiatorName=" + ScriptedInitiator.NAME;
  private static final String WHERE = "TargetName=" + ScriptedInitiator.TARGET;

  private final RamDisk disk = new RamDisk(ScriptedInitiator.TARGET, 1 << 16);

  @Test
  void discoveryTellsEveryPortalAndEachServes() throws IOException {
    try (IscsiTarget target = target("127.0.0.1", sixOrSkip())) {
      List<InetSocketAddress> portals = target.portals();
      String four = "127.0.0.1:" + portals.get(0).getPort();
      String six = "[0:0:0:0:0:0:0:1]:" + portals.get(1).getPort();
      for (InetSocketAddress portal : portals) {
        try (SocketInitiator initiator = new SocketInitiator(portal)) {
          assertThat(initiator.logIn(1, WHO, "SessionType=Discovery").loginStatus()).isZero();
          initiator.send(
              ScriptedInitiator.header(0x04, 0x80).putInt(16, 1).putInt(20, -1).putInt(24, 1),
              ScriptedInitiator.text("SendTargets=All"));
          assertThat(initiator.receive().text())
              .containsExactly(
                  WHERE, "TargetAddress=" + four + ",1", "TargetAddress=" + six + ",1");
        }
        try (SocketInitiator initiator = new SocketInitiator(portal)) {
          assertThat(initiator.logIn(2, WHO, WHERE).loginStatus()).isZero();
        }
      }
    }
  }

  @Test
  void aDrainedPortalEmptiesAndSendsLoginsToTheOther() throws IOException {
    try (IscsiTarget target = target("127.0.0.1", "127.0.0.1")) {
      InetSocketAddress first = target.portals().get(0);
      InetSocketAddress second = target.portals().get(1);
      try (SocketInitiator stays = new SocketInitiator(second);
          SocketInitiator leaves = new SocketInitiator(first)) {
        assertThat(stays.logIn(1, WHO, WHERE).loginStatus()).isZero();
        assertThat(leaves.logIn(2, WHO, WHERE).loginStatus()).isZero();
        assertThat(target.portalStates()).extracting(PortalState::sessions).containsExactly(1, 1);

        assertThat(target.drain(1)).isTrue();

        Received asked = leaves.receive();
        assertThat(asked.opcode()).isEqualTo(0x32);
        assertThat(asked.header().get(36)).as("event").isEqualTo((byte) 1);
        leaves.logOut(9);
        assertThat(leaves.receive().opcode()).as("logout response").isEqualTo(0x26);
        try (SocketInitiator comesBack = new SocketInitiator(first)) {
          Received sent = comesBack.logIn(2, WHO, WHERE);
          assertThat(sent.loginStatus()).isEqualTo(0x0101);
          assertThat(sent.text()).contains("TargetAddress=127.0.0.1:" + second.getPort());
        }
      }
      long end = System.nanoTime() + 30_000_000_000L;
      while (target.sessions() > 0 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertThat(target.portalStates())
          .containsExactly(
              new PortalState(1, first, true, 0, 0), new PortalState(2, second, false, 0, 0));
      assertThat(target.undrain(1)).isTrue();
      assertThat(target.portalStates().getFirst().draining()).isFalse();
      assertThat(target.drain(3)).as("a portal that is not there").isFalse();
    }
  }

  /// A host with a path to each of two portals: after a drain and its end each is used again.
  @Test
  void bothPathsOfAHostAreWhereTheyWereAfterADrain() throws IOException {
    try (IscsiTarget target = target("127.0.0.1", "127.0.0.1")) {
      InetSocketAddress first = target.portals().get(0);
      InetSocketAddress second = target.portals().get(1);
      SocketInitiator path = new SocketInitiator(first);
      try (SocketInitiator other = new SocketInitiator(second)) {
        assertThat(path.logIn(1, WHO, WHERE).loginStatus()).isZero();
        assertThat(other.logIn(2, WHO, WHERE).loginStatus()).isZero();

        target.drain(1);
        path = leaveAndLogIn(path, first);
        assertThat(sessions(target)).containsExactly(0, 2);
        assertThat(target.portalStates()).extracting(PortalState::away).containsExactly(1, 0);
        target.undrain(1);
        path = leaveAndLogIn(path, first);

        assertThat(sessions(target)).containsExactly(1, 1);
        assertThat(target.portalStates()).extracting(PortalState::away).containsExactly(0, 0);
        other.command(0, 1, 0xc1, 512, ScriptedInitiator.READ_10.formatted(1));
        assertThat(other.receive().opcode()).as("never asked").isEqualTo(0x25);
      } finally {
        path.close();
      }
    }
  }

  /// What an initiator does that is asked to log out: it does, and logs in at the address that it
  /// was given by its administrator; if it is sent elsewhere, there.
  private static SocketInitiator leaveAndLogIn(SocketInitiator path, InetSocketAddress configured)
      throws IOException {
    Received asked = path.receive();
    assertThat(asked.opcode()).isEqualTo(0x32);
    assertThat(asked.header().get(36)).as("event").isEqualTo((byte) 1);
    path.logOut(9);
    assertThat(path.receive().opcode()).as("logout response").isEqualTo(0x26);
    path.close();
    SocketInitiator again = new SocketInitiator(configured);
    Received answer = again.logIn(1, WHO, WHERE);
    if (answer.loginStatus() == 0x0101) {
      again.close();
      String address =
          answer.text().stream().filter(it -> it.startsWith("TargetAddress=")).findAny().get();
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      again = new SocketInitiator(new InetSocketAddress("127.0.0.1", port));
      answer = again.logIn(1, WHO, WHERE);
    }
    assertThat(answer.loginStatus()).isZero();
    return again;
  }

  private static List<Integer> sessions(IscsiTarget target) {
    return target.portalStates().stream().map(PortalState::sessions).toList();
  }

  private IscsiTarget target(String... addresses) {
    List<InetSocketAddress> listen =
        List.of(addresses).stream().map(it -> new InetSocketAddress(it, 0)).toList();
    IscsiSettings settings = new IscsiSettings(listen, List.of(), IscsiLimits.defaults(), 2);
    return IscsiTarget.start(settings, List.of(disk), _ -> Optional.empty());
  }

  private static String sixOrSkip() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      assertThat(probe.isBound()).isTrue();
      return "::1";
    } catch (IOException e) {
      assumeTrue(false, "this machine has no IPv6: " + e.getMessage());
      throw new AssertionError(e);
    }
  }
}
