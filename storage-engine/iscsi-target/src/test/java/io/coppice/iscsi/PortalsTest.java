package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.iscsi.SocketInitiator.Received;
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
              new PortalState(1, first, true, 0), new PortalState(2, second, false, 0));
      assertThat(target.undrain(1)).isTrue();
      assertThat(target.portalStates().getFirst().draining()).isFalse();
      assertThat(target.drain(3)).as("a portal that is not there").isFalse();
    }
  }

  private IscsiTarget target(String... addresses) {
    List<InetSocketAddress> listen =
        List.of(addresses).stream().map(it -> new InetSocketAddress(it, 0)).toList();
    IscsiSettings settings = new IscsiSettings(listen, List.of(), IscsiLimits.DEFAULT, 2);
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
