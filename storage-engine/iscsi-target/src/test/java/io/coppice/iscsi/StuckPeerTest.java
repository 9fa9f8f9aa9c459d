package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.SocketInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.coppice.iscsi.testing.RamDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers at real sockets that do not take what they are sent, or take it slowly.
@Timeout(120)
class StuckPeerTest {

  private static final String WHERE = "TargetName=" + TARGET;
  private static final int MIB = 1 << 20;
  private static final int COMMANDS = 128;

  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean shut;
  private final RamDisk disk = new RamDisk(TARGET, MIB, Set.of(), this::execute);
  private IscsiTarget target;
  private final List<SocketInitiator> initiators = new ArrayList<>();

  /// @param nopMs silence after which a host is asked whether it lives
  private void start(int nopMs) {
    disk.recordNothing();
    IscsiSettings base = IscsiSettings.loopback();
    IscsiLimits limits =
        base.limits()
            .withDataMemory(64L << 20)
            .withWaits(new IscsiTimeouts(15_000, 60_000, nopMs, 3_000, 3_000, 1_000));
    target =
        IscsiTarget.start(
            new IscsiSettings(base.listen(), List.of(), limits, 2),
            List.of(disk),
            _ -> Optional.empty());
  }

  private void execute(Runnable command) {
    if (shut) {
      waiting.add(command);
    } else {
      command.run();
    }
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    for (SocketInitiator each : initiators) {
      each.close();
    }
    await("sessions to end", () -> target.sessions() == 0);
    await("memory to be given back", () -> target.dataBytes() == 0);
    assertThat(target.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
    target.close();
  }

  /// @param receiveBuffer bytes; 0 for as many as the kernel likes
  private SocketInitiator logIn(String host, int receiveBuffer) throws IOException {
    InetSocketAddress portal = target.portals().getFirst();
    SocketInitiator initiator = new SocketInitiator(portal, receiveBuffer);
    initiators.add(initiator);
    String who = "InitiatorName=iqn.2026-11.example:" + host;
    assertThat(initiator.logIn(0x80_0000_01_0000L, who, WHERE).loginStatus()).isZero();
    return initiator;
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

  /// Asks for 128 MiB, and perhaps to be logged out, at once.
  private static void askForMuch(SocketInitiator peer, boolean leaves) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < COMMANDS; i++) {
      String read = READ_10.formatted(2048);
      all.writeBytes(ScriptedInitiator.commandHeader(i, 0xc1, MIB, read, 1 + i).array());
    }
    if (leaves) {
      ByteBuffer logout = ScriptedInitiator.header(0x46, 0x80).putInt(16, COMMANDS);
      all.writeBytes(logout.putInt(24, 1 + COMMANDS).array());
    }
    peer.socket().getOutputStream().write(all.toByteArray());
  }

  /// As [#askForMuch] of each, with a logout; all of it has come before any of it is answered.
  private void askForMuchAndLeave(SocketInitiator... peers) throws IOException {
    shut = true;
    disk.holdDetaches();
    for (SocketInitiator peer : peers) {
      askForMuch(peer, true);
    }
    await("commands to come", () -> waiting.size() == COMMANDS * peers.length);
    await("logouts to come", () -> disk.detachesHeld() == peers.length);
    shut = false;
    waiting.forEach(Runnable::run);
    waiting.clear();
    disk.releaseDetaches();
  }

  /// The next PDU that is no ping; those are answered, as by any host that lives.
  private static Received answer(SocketInitiator host, int cmdSn) throws IOException {
    Received pdu = host.receive();
    while (pdu.opcode() == 0x20) {
      if (pdu.header().getInt(20) != -1) {
        ByteBuffer answer = ScriptedInitiator.header(0x40, 0x80).putInt(16, -1);
        host.send(answer.putInt(20, pdu.header().getInt(20)).putInt(24, cmdSn), new byte[0]);
      }
      pdu = host.receive();
    }
    return pdu;
  }

  private static void writeAndReadBack(SocketInitiator host, int round) throws IOException {
    byte[] data = ScriptedInitiator.pattern(1 << 16, round);
    host.command(0, 2 * round, 0xa1, data.length, WRITE_10.formatted(128), data);
    assertThat(answer(host, 2 * round + 2).scsiStatus()).as("write %d", round).isZero();
    host.command(0, 2 * round + 1, 0xc1, data.length, READ_10.formatted(128));
    int received = 0;
    while (received < data.length) {
      Received piece = answer(host, 2 * round + 3);
      assertThat(piece.opcode()).as("Data-In of read %d", round).isEqualTo(0x25);
      received += piece.data().length;
    }
  }

  @Test
  void fourPeersThatTakeNothingHoldUpNobodyAndGo() throws IOException {
    start(15_000);
    SocketInitiator host = logIn("host", 0);
    for (int i = 1; i <= 4; i++) {
      askForMuch(logIn("stuck" + i, 4096), false);
    }

    workUntilTheyAreGone(host);
  }

  @Test
  void fourPeersThatLogOutAndTakeNothingHoldUpNobodyAndGo() throws IOException {
    start(15_000);
    SocketInitiator host = logIn("host", 0);
    askForMuchAndLeave(
        logIn("stuck1", 4096), logIn("stuck2", 4096), logIn("stuck3", 4096), logIn("stuck4", 4096));

    workUntilTheyAreGone(host);
  }

  private void workUntilTheyAreGone(SocketInitiator host) throws IOException {
    int round = 0;
    long end = System.nanoTime() + 45_000_000_000L;
    while (round < 50 || target.sessions() > 1 || target.dataBytes() > 0) {
      writeAndReadBack(host, round++);
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "expected the peers and their data to be gone within 45 s, got %d bytes held"
                .formatted(target.dataBytes()));
      }
    }
    assertThat(target.counters().of(PeerFault.OUTPUT_TIMEOUT)).isEqualTo(4);
    assertThat(target.counters().of(PeerFault.OUT_OF_MEMORY)).isZero();
  }

  @Test
  void otherPathOfAHostWithOneStuckPathGoesOn() throws IOException {
    start(15_000);
    askForMuchAndLeave(logIn("host", 4096));
    SocketInitiator path = new SocketInitiator(target.portals().getFirst());
    initiators.add(path);
    path.logIn(0x80_0000_02_0000L, "InitiatorName=iqn.2026-11.example:host", WHERE);

    for (int round = 0; round < 50; round++) {
      writeAndReadBack(path, round);
    }
  }

  @Test
  void slowHostThatLivesIsNotDropped() throws IOException {
    start(500);
    SocketInitiator host = logIn("slow", 16384);
    askForMuch(host, false);

    int answered = 0;
    long served = 0;
    while (answered < COMMANDS) {
      Received pdu = answer(host, COMMANDS + 1);
      if (pdu.opcode() == 0x25) {
        served += pdu.data().length;
        answered += pdu.header().get(1) & 1;
        LockSupport.parkNanos(1_000_000); // some MB a second
      } else {
        answered++; // refused, since others may want memory too
      }
    }

    assertThat(served).isGreaterThan(8 * MIB);
    assertThat(target.counters().of(PeerFault.NOT_ALIVE)).isZero();
    assertThat(target.counters().of(PeerFault.OUTPUT_TIMEOUT)).isZero();
  }
}
