package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One event loop, a crowd of bad initiators, and two good ones whose commands all complete.
@Timeout(180)
class CrowdTest {

  private static final int COMMANDS = 400;
  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong misdeeds = new AtomicLong();

  /// What a bad initiator does over and over; an exception ends one round.
  @FunctionalInterface
  private interface Misdeed {
    void doOnce(InetSocketAddress portal, Random random) throws IOException;
  }

  @Test
  void goodInitiatorsAreServedAmidBadOnes() throws Exception {
    try (ExecutorService workers = Executors.newFixedThreadPool(2);
        ExecutorService peers = Executors.newCachedThreadPool()) {
      RamDisk disk = new RamDisk(TARGET, 4 << 20, Set.of(), workers);
      disk.recordNothing();
      IscsiSettings base = IscsiSettings.loopback();
      IscsiSettings oneLoop = new IscsiSettings(base.listen(), List.of(), base.limits(), 1);
      try (IscsiTarget target = IscsiTarget.start(oneLoop, List.of(disk), _ -> Optional.empty())) {
        InetSocketAddress portal = target.portals().getFirst();
        List<Misdeed> misdeeds =
            List.of(
                CrowdTest::takesNothing,
                CrowdTest::sendsHalf,
                CrowdTest::sendsNoise,
                CrowdTest::floods,
                CrowdTest::comesBackAllTheTime);
        List<Future<?>> bad = new ArrayList<>();
        for (int i = 0; i < misdeeds.size(); i++) {
          Misdeed misdeed = misdeeds.get(i);
          Random random = new Random(i);
          bad.add(peers.submit(() -> misbehave(misdeed, portal, random)));
        }
        List<Future<?>> good =
            List.of(
                peers.submit(() -> work(portal, 0x80_0000_08_0000L, 0)),
                peers.submit(() -> work(portal, 0x80_0000_09_0000L, 64)));
        try {
          for (Future<?> each : good) {
            each.get();
          }
        } finally {
          stop.set(true);
        }
        for (Future<?> each : bad) {
          each.get();
        }
        assertThat(this.misdeeds).as("rounds of the bad ones").hasPositiveValue();
        assertThat(target.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
        await(() -> target.sessions() == 0);
        assertThat(target.sessions()).as("sessions left").isZero();
        await(() -> target.dataBytes() == 0);
        assertThat(target.dataBytes()).as("bytes of data left").isZero();
      }
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + SECONDS.toNanos(60);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
  }

  /// Writes and reads back, one command at a time.
  private static Void work(InetSocketAddress portal, long isid, int lba) throws IOException {
    try (SocketInitiator initiator = new SocketInitiator(portal)) {
      assertThat(initiator.logIn(isid, WHO, WHERE).loginStatus()).isZero();
      for (int i = 0; i < COMMANDS; i += 2) {
        byte[] data = ScriptedInitiator.pattern(512, i + lba);
        initiator.command(0, i, 0xa1, 512, "2a 00 %08x 00 0001 00".formatted(lba), data);
        assertThat(initiator.receiveAnswer().scsiStatus()).as("write %d", i).isZero();
        initiator.command(0, i + 1, 0xc1, 512, "28 00 %08x 00 0001 00".formatted(lba));
        assertThat(initiator.receiveAnswer().data()).as("read %d", i).isEqualTo(data);
      }
    }
    return null;
  }

  private Void misbehave(Misdeed misdeed, InetSocketAddress portal, Random random) {
    while (!stop.get()) {
      try {
        misdeed.doOnce(portal, random);
      } catch (IOException dropped) {
        // That is what it asked for.
      }
      misdeeds.incrementAndGet();
    }
    return null;
  }

  private static SocketInitiator session(InetSocketAddress portal, int number) throws IOException {
    SocketInitiator peer = new SocketInitiator(portal);
    peer.logIn(0x80_0000_01_0000L + number, WHO, WHERE);
    return peer;
  }

  /// Asks for as much as it may and reads none of it.
  private static void takesNothing(InetSocketAddress portal, Random random) throws IOException {
    try (SocketInitiator peer = session(portal, 1)) {
      for (int tag = 0; tag < 64; tag++) {
        peer.command(0, tag, 0xc1, 1 << 20, READ_10.formatted(2048));
      }
      peer.socket().setSoTimeout(50);
      peer.receive();
    }
  }

  /// Begins writes that it never ends.
  private static void sendsHalf(InetSocketAddress portal, Random random) throws IOException {
    try (SocketInitiator peer = session(portal, 2)) {
      for (int tag = 0; tag < 64; tag++) {
        peer.command(0, tag, 0xa1, 1 << 20, WRITE_10.formatted(2048));
      }
      for (int i = 0; i < 64; i++) {
        peer.receive();
      }
    }
  }

  private static void sendsNoise(InetSocketAddress portal, Random random) throws IOException {
    byte[] noise = new byte[1 + random.nextInt(1 << 16)];
    random.nextBytes(noise);
    try (Socket socket = new Socket(portal.getAddress(), portal.getPort())) {
      socket.getOutputStream().write(noise);
    }
  }

  /// Keeps its window full of small commands and pings.
  private static void floods(InetSocketAddress portal, Random random) throws IOException {
    try (SocketInitiator peer = session(portal, 3)) {
      for (int tag = 0; tag < 2000; tag++) {
        peer.command(0, tag, 0xc1, 512, READ_10.formatted(1));
        if (tag >= 100) {
          peer.receive();
        }
      }
    }
  }

  /// Takes its own sessions' place again and again.
  private static void comesBackAllTheTime(InetSocketAddress portal, Random random)
      throws IOException {
    try (SocketInitiator first = session(portal, 4);
        SocketInitiator second = session(portal, 4)) {
      first.command(0, 1, 0xc1, 512, READ_10.formatted(1));
      second.command(0, 1, 0xc1, 512, READ_10.formatted(1));
      second.receive();
    }
  }
}
