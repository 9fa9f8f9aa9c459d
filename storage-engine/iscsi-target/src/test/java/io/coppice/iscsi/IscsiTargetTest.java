package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.coppice.iscsi.testing.RamDisk;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The target at real sockets.
@Timeout(30)
class IscsiTargetTest {

  private static final byte[] LOGIN =
      ScriptedInitiator.text(
          "InitiatorName=" + ScriptedInitiator.NAME, "TargetName=" + ScriptedInitiator.TARGET);

  private final RamDisk disk = new RamDisk(ScriptedInitiator.TARGET, 1 << 20);

  @Test
  void portInUseIsOneClearSentence() {
    try (IscsiTarget first = start(IscsiSettings.loopback(), disk)) {
      InetSocketAddress taken = first.portals().getFirst();
      IscsiSettings same = new IscsiSettings(List.of(taken), List.of(), IscsiLimits.defaults(), 1);

      assertThatThrownBy(() -> start(same, disk))
          .isInstanceOf(IscsiStartException.class)
          .hasMessage(
              "cannot listen for iSCSI at %s:%d: another program uses this port"
                  .formatted(taken.getHostString(), taken.getPort()));
    }
  }

  @Test
  void commandsThatCompleteOnOtherThreadsAreAnswered() throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      RamDisk slow = new RamDisk(ScriptedInitiator.TARGET, 1 << 20, Set.of(), pool);
      try (IscsiTarget target = start(IscsiSettings.loopback(), slow);
          Socket socket = connect(target)) {
        logIn(socket);
        for (int i = 0; i < 100; i++) {
          send(socket, read(i, 1 + i));
        }
        Set<Integer> tags = new HashSet<>();
        for (int i = 0; i < 100; i++) {
          ByteBuffer answer = receive(socket);
          assertThat(answer.get(0)).isEqualTo((byte) 0x25);
          tags.add(answer.getInt(16));
        }
        assertThat(tags).hasSize(100);
      }
    }
  }

  @Test
  void closingTellsInitiatorsAndWaitsForTheDevice() throws IOException {
    IscsiSettings base = IscsiSettings.loopback();
    IscsiSettings hasty =
        new IscsiSettings(base.listen(), List.of(), limits(8, 1 << 20), base.threads());
    IscsiTarget target = start(hasty, disk);
    try (Socket socket = connect(target)) {
      logIn(socket);
      assertThat(target.sessions()).isEqualTo(1);

      target.close();

      ByteBuffer request = receive(socket);
      assertThat(request.get(0)).as("asynchronous message").isEqualTo((byte) 0x32);
      assertThat(request.get(36)).as("asks for a logout").isEqualTo((byte) 1);
      assertThat(request.getShort(42)).as("within seconds").isEqualTo((short) 1);
      ByteBuffer message = receive(socket);
      assertThat(message.get(0)).as("asynchronous message").isEqualTo((byte) 0x32);
      assertThat(message.get(36)).as("drops the session").isEqualTo((byte) 3);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      assertThat(disk.detached).hasSize(1);
    }
  }

  /// Four peers log in with two initiator ports between them, so that they end each other's
  /// sessions, and leave in the middle of reads and writes that complete on other threads.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sessionsThatBreakUnderLoadLeaveNothingBehind(long seed) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4);
        ExecutorService peers = Executors.newFixedThreadPool(4)) {
      RamDisk shared = new RamDisk(ScriptedInitiator.TARGET, 1 << 20, Set.of(), pool);
      try (IscsiTarget target = start(IscsiSettings.loopback(), shared)) {
        List<Future<?>> running = new ArrayList<>();
        for (int peer = 0; peer < 4; peer++) {
          Random random = new Random(seed * 100 + peer);
          running.add(peers.submit(() -> breakSessions(target, random)));
        }
        for (Future<?> peer : running) {
          peer.get();
        }
        long deadline = System.nanoTime() + 10_000_000_000L;
        while ((target.sessions() > 0 || target.dataBytes() > 0) && System.nanoTime() < deadline) {
          Thread.onSpinWait();
        }
        assertThat(target.sessions()).as("sessions, seed %d", seed).isZero();
        assertThat(target.dataBytes()).as("bytes of data, seed %d", seed).isZero();
        assertThat(target.counters().of(PeerFault.INTERNAL)).as("seed %d", seed).isZero();
        assertThat(target.counters().logins()).as("seed %d", seed).isGreaterThan(20);
      }
    }
  }

  private static void breakSessions(IscsiTarget target, Random random) {
    for (int round = 0; round < 25; round++) {
      try (Socket socket = connect(target)) {
        logIn(socket, 0x4000_0000_0000L + random.nextInt(2));
        int whole = sendCommands(socket, random);
        // A session with no whole command has no answer to wait for but our ping, 15 s later.
        if (whole > 0 && random.nextBoolean()) {
          receive(socket);
        }
      } catch (IOException endedByAnother) {
        // That is what this is about.
      }
    }
  }

  /// Sends up to 39 commands, the last of them perhaps cut short; returns how many were whole.
  private static int sendCommands(Socket socket, Random random) throws IOException {
    int commands = random.nextInt(40);
    for (int i = 0; i < commands; i++) {
      if (random.nextBoolean()) {
        send(socket, read(i, 1 + i));
        continue;
      }
      send(socket, write(i, 1 + i));
      if (random.nextInt(8) == 0) {
        socket.getOutputStream().write(new byte[100]);
        return i;
      }
      socket.getOutputStream().write(new byte[512]);
    }
    return commands;
  }

  /// A peer asks for 60 MiB and takes none of it: what waits for it stays below the limit.
  @Test
  void dataThatThePeerDoesNotTakeCountsUntilItDoes() throws IOException {
    IscsiLimits small = limits(8, 8 << 20);
    IscsiSettings base = IscsiSettings.loopback();
    try (IscsiTarget target = start(new IscsiSettings(base.listen(), List.of(), small, 1), disk);
        Socket socket = connect(target)) {
      logIn(socket);
      for (int i = 0; i < 60; i++) {
        send(socket, megabyte(i, 1 + i));
      }
      Set<Integer> served = new HashSet<>();
      Set<Integer> refused = new HashSet<>();
      while (served.size() + refused.size() < 60) {
        ByteBuffer answer = receive(socket);
        boolean data = answer.get(0) == 0x25;
        if (data && (answer.get(1) & 1) != 0) {
          served.add(answer.getInt(16));
        } else if (!data) {
          assertThat(answer.get(3)).as("task set full").isEqualTo((byte) 0x28);
          refused.add(answer.getInt(16));
        }
      }
      assertThat(served).isNotEmpty();
      assertThat(refused).isNotEmpty();
      awaitNothingHeld(target);
    }
  }

  private static void awaitNothingHeld(IscsiTarget target) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (target.dataBytes() > 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(target.dataBytes()).as("bytes of data").isZero();
  }

  private static IscsiLimits limits(int connections, long dataMemory) {
    return new IscsiLimits(
        new IscsiLimits.SessionLimits(connections, 1, 1),
        new IscsiLimits.LoginLimits(8192, 4096, 4096, 1, 8192),
        new IscsiLimits.CommandLimits(64, 1 << 16, dataMemory),
        new IscsiTimeouts(5000, 5000, 5000, 5000, 5000, 1000),
        1000);
  }

  private static ByteBuffer megabyte(int tag, int cmdSn) {
    return ScriptedInitiator.commandHeader(
        tag, 0xc1, 1 << 20, ScriptedInitiator.READ_10.formatted(2048), cmdSn);
  }

  private static ByteBuffer write(int tag, int cmdSn) {
    return ScriptedInitiator.commandHeader(
            tag, 0xa1, 512, ScriptedInitiator.WRITE_10.formatted(1), cmdSn)
        .putInt(4, 512);
  }

  @Test
  void connectionsBeyondTheLimitAreClosed() throws IOException {
    IscsiLimits one = limits(1, 1 << 20);
    IscsiSettings base = IscsiSettings.loopback();
    try (IscsiTarget target = start(new IscsiSettings(base.listen(), List.of(), one, 1), disk);
        Socket first = connect(target)) {
      logIn(first);
      try (Socket second = connect(target)) {
        assertThat(second.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(target.counters().of(PeerFault.TOO_MANY_CONNECTIONS)).isEqualTo(1);
    }
  }

  private static IscsiTarget start(IscsiSettings settings, RamDisk disk) {
    return IscsiTarget.start(settings, List.of(disk), _ -> Optional.empty());
  }

  private static Socket connect(IscsiTarget target) throws IOException {
    InetSocketAddress portal = target.portals().getFirst();
    return new Socket(portal.getAddress(), portal.getPort());
  }

  private static void logIn(Socket socket) throws IOException {
    logIn(socket, 0);
  }

  private static void logIn(Socket socket, long isid) throws IOException {
    ByteBuffer header = ScriptedInitiator.header(0x43, 0x87).putInt(4, LOGIN.length);
    header.putLong(8, isid << 16).putInt(16, 1).putInt(24, 1);
    send(socket, header);
    socket.getOutputStream().write(LOGIN);
    socket.getOutputStream().write(new byte[-LOGIN.length & 3]);
    assertThat(receive(socket).getShort(36)).as("login status").isZero();
  }

  private static ByteBuffer read(int tag, int cmdSn) {
    return ScriptedInitiator.commandHeader(
        tag, 0xc1, 512, ScriptedInitiator.READ_10.formatted(1), cmdSn);
  }

  private static void send(Socket socket, ByteBuffer header) throws IOException {
    socket.getOutputStream().write(header.array());
  }

  /// The next header; its data is skipped.
  private static ByteBuffer receive(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] header = new byte[48];
    in.readFully(header);
    int length = ByteBuffer.wrap(header).getInt(4) & 0xffffff;
    in.readFully(new byte[length + (-length & 3)]);
    return ByteBuffer.wrap(header);
  }
}
