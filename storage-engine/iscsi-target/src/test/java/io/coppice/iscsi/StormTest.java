package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that come, leave and send in masses, at real sockets, while a bystander works.
@Timeout(180)
class StormTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;
  private static final int CONNECTS = 5_000;
  private static final int OPEN_AT_ONCE = 64;
  private static final int TRANSFERS = 300;
  private static final int COMMANDS = 50_000;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private IscsiTarget target;
  private SocketInitiator bystander;
  private int bystanderTag = 1;

  @BeforeEach
  void start() throws IOException {
    disk.recordNothing();
    target = IscsiTarget.start(IscsiSettings.loopback(), List.of(disk), _ -> Optional.empty());
    bystander = new SocketInitiator(portal());
    assertThat(bystander.logIn(0x80_0000_09_0000L, WHO, WHERE).loginStatus()).isZero();
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    bystanderWorks();
    bystander.close();
    await("sessions to end", () -> target.sessions() == 0);
    await("memory to be given back", () -> target.dataBytes() == 0);
    assertThat(target.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
    target.close();
  }

  private InetSocketAddress portal() {
    return target.portals().getFirst();
  }

  private void bystanderWorks() throws IOException {
    int tag = bystanderTag++;
    bystander.command(0, tag, 0xc1, 512, READ_10.formatted(1));
    SocketInitiator.Received answer = bystander.receive();
    assertThat(answer.opcode()).isEqualTo(0x25);
    assertThat(answer.tag()).isEqualTo(tag);
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("expected " + what + " within 60 s");
      }
      Thread.onSpinWait();
    }
  }

  /// Leaves as a process that was killed would, or a cable that was cut.
  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Test
  void connectsThousandsOfTimesAndSaysLittle() throws IOException {
    Random random = new Random(1);
    Queue<Socket> open = new ArrayDeque<>();
    for (int i = 0; i < CONNECTS; i++) {
      Socket socket = new Socket(portal().getAddress(), portal().getPort());
      byte[] beginning = new byte[random.nextInt(48)];
      Arrays.fill(beginning, (byte) 0x43);
      socket.getOutputStream().write(beginning);
      open.add(socket);
      if (open.size() > OPEN_AT_ONCE) {
        reset(open.remove());
      }
      if (i % 100 == 0) {
        bystanderWorks();
      }
    }
    for (Socket socket : open) {
      reset(socket);
    }
    assertThat(target.sessions()).as("the bystander's").isEqualTo(1);
  }

  @Test
  void leavesInTheMiddleOfTransfers() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < TRANSFERS; i++) {
      SocketInitiator peer = new SocketInitiator(portal());
      assertThat(peer.logIn(0x80_0000_01_0000L + i % 4, WHO, WHERE).loginStatus()).isZero();
      switch (i % 3) {
        case 0 -> {
          peer.command(0, 1, 0xa1, 1 << 20, WRITE_10.formatted(2048));
          assertThat(peer.receive().opcode()).as("R2T").isEqualTo(0x31);
          peer.socket().getOutputStream().write(new byte[1 + random.nextInt(4000)]);
        }
        case 1 -> {
          for (int tag = 1; tag <= 8; tag++) {
            peer.command(0, tag, 0xc1, 1 << 20, READ_10.formatted(2048));
          }
          assertThat(peer.receive().opcode()).as("Data-In").isEqualTo(0x25);
        }
        default ->
            peer.socket().getOutputStream().write(new byte[] {0x01, (byte) 0xc1, 0, 0, 0, 0, 1});
      }
      reset(peer.socket());
      if (i % 20 == 0) {
        bystanderWorks();
      }
    }
  }

  @Test
  void sendsCommandsWithAnyNumberButTheNext() throws IOException {
    Random random = new Random(3);
    try (SocketInitiator peer = new SocketInitiator(portal())) {
      assertThat(peer.logIn(0x80_0000_01_0000L, WHO, WHERE).loginStatus()).isZero();
      int window = IscsiLimits.defaults().commands().window();
      for (int i = 0; i < COMMANDS; i++) {
        int number = 1 + window + random.nextInt(Integer.MAX_VALUE - 2 * window);
        peer.send(
            ScriptedInitiator.commandHeader(i, 0xc1, 512, READ_10.formatted(1), number),
            new byte[0]);
        if (i % 5000 == 0) {
          bystanderWorks();
        }
      }
      peer.ping(7);

      assertThat(target.counters().of(PeerFault.CMD_SN_OUTSIDE_WINDOW)).isEqualTo(COMMANDS);
      peer.command(0, 9, 0xc1, 512, READ_10.formatted(1));
      assertThat(peer.receive().tag()).as("the one in its turn").isEqualTo(9);
    }
  }
}
