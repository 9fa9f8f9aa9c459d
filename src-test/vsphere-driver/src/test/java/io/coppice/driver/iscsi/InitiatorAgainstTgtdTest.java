package io.coppice.driver.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.scsi.Capacity;
import io.coppice.driver.scsi.Cdbs;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.driver.scsi.ScsiException;
import io.coppice.driver.scsi.ScsiRequest;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.TransportException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The initiator against a target that others wrote.
class InitiatorAgainstTgtdTest {
  private static final long DISK_BYTES = 64L << 20;
  private static final LoginSettings SETTINGS = LoginSettings.of("iqn.2026-01.test.driver:host", 1);

  @TempDir static Path folder;
  private static Tgtd tgtd;

  @BeforeAll
  static void startPeer() throws Exception {
    tgtd = Tgtd.start(folder, DISK_BYTES);
  }

  @AfterAll
  static void stopPeer() {
    if (tgtd != null) {
      tgtd.close();
    }
  }

  @Test
  void discoveryNamesTheTargetAndItsPortal() {
    List<DiscoveredTarget> targets = Discovery.sendTargets(tgtd.portal(), SETTINGS);

    assertThat(targets).extracting(DiscoveredTarget::name).containsExactly(Tgtd.TARGET);
    assertThat(targets.getFirst().portals())
        .contains("127.0.0.1:" + tgtd.portal().getPort() + ",1");
  }

  @Test
  void inquiryCapacityAndIdentityAreRead() {
    try (IscsiSession session = login(SETTINGS)) {
      LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));

      assertThat(unit.inquiry().deviceType()).isZero();
      assertThat(unit.capacity()).isEqualTo(new Capacity(DISK_BYTES / 512, 512, 3, true, true));
      assertThat(unit.designators()).isNotEmpty();
      assertThat(unit.reportLuns(0)).contains(Lun.ZERO, Lun.simple(1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, false",
    "false, false, false",
    "true, true, false",
    "false, true, false",
    "true, true, true"
  })
  void whatWasWrittenIsReadAgain(boolean immediate, boolean unsolicited, boolean digests)
      throws Exception {
    tgtd.offerDigests(digests ? "CRC32C" : "None");
    LoginSettings settings = SETTINGS.withData(immediate, unsolicited).withDigests(digests);
    try (IscsiSession session = login(settings)) {
      ScsiDisk disk = ScsiDisk.open(new LogicalUnit(session, Lun.simple(1)));
      disk.unmap(0, 8 << 20);
      long seed = 7;
      ByteBuffer data = random(seed, 5_000_001);

      disk.write(1_234_567, data.duplicate());
      disk.sync();

      ByteBuffer back = ByteBuffer.allocate(data.capacity());
      disk.read(1_234_567, back);
      assertThat(back.flip()).as("seed " + seed).isEqualTo(data);
      ByteBuffer edges = ByteBuffer.allocate(567);
      disk.read(1_234_000, edges);
      assertThat(edges.flip()).isEqualTo(ByteBuffer.allocate(567));
      assertThat(session.parameters().immediateData()).isEqualTo(immediate);
    }
  }

  @Test
  void manyCommandsAreUnderWayAtOnce() {
    try (IscsiSession session = login(SETTINGS)) {
      LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));
      unit.testUnitReady();
      List<CompletableFuture<ScsiResult>> writes = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        writes.add(unit.startWrite(i * 8L, 8, filled(i)));
      }

      assertThat(writes).allMatch(write -> write.join().good());

      for (int i = 0; i < 500; i += 37) {
        assertThat(unit.read(i * 8L, 8, 512)).isEqualTo(filled(i));
      }
    }
  }

  @Test
  void countersShowTheBytesOfTheDataSegments() {
    WireCounters counters = new WireCounters();
    try (IscsiSession session =
        IscsiSession.login(tgtd.portal(), Tgtd.TARGET, SETTINGS, counters)) {
      LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));
      unit.testUnitReady();
      WireCounters.Reading before = counters.read();

      unit.write(0, 2048, random(3, 1 << 20));
      unit.read(0, 8, 512);

      WireCounters.Reading moved = counters.read().since(before);
      assertThat(moved).isEqualTo(new WireCounters.Reading(1 << 20, 4096, 2));
    }
  }

  @Test
  void anUnderflowIsReportedWithItsLength() {
    try (IscsiSession session = login(SETTINGS)) {
      ScsiResult result =
          new LogicalUnit(session, Lun.simple(1))
              .execute(ScsiRequest.reading(Lun.simple(1), Cdbs.readCapacity16(32), 4096));

      assertThat(result.good()).isTrue();
      assertThat(result.dataIn().remaining() + result.underflow()).isEqualTo(4096);
    }
  }

  @Test
  void aRangeBeyondTheEndIsRefusedWithItsSense() {
    try (IscsiSession session = login(SETTINGS)) {
      LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));

      assertThatThrownBy(() -> unit.read(DISK_BYTES / 512, 1, 512))
          .isInstanceOfSatisfying(
              ScsiException.class, e -> assertThat(e.is(0x5, 0x21, 0x00)).isTrue());
      assertThat(session.alive()).isTrue();
    }
  }

  @Test
  void pingComesBackAndTaskManagementIsAnswered() {
    try (IscsiSession session = login(SETTINGS)) {
      ByteBuffer ping = ByteBuffer.wrap("still there?".getBytes(StandardCharsets.US_ASCII));

      assertThat(session.ping(ping)).isEqualTo(ping);
      assertThat(session.manage(TaskFunction.LOGICAL_UNIT_RESET, Lun.simple(1), null)).isZero();
    }
  }

  @Test
  void chapOpensTheDoorAndAWrongSecretDoesNot(@TempDir Path own) throws Exception {
    try (Tgtd peer = Tgtd.start(own, DISK_BYTES)) {
      peer.requireChap("someone", "secret-of-16-chr");
      Chap right = Chap.md5("someone", "secret-of-16-chr");
      Chap wrong = Chap.md5("someone", "another-secret-1");

      try (IscsiSession session = login(peer, SETTINGS.withChap(right))) {
        assertThat(new LogicalUnit(session, Lun.simple(1)).inquiry().vendor()).isNotEmpty();
      }
      assertThatThrownBy(() -> login(peer, SETTINGS.withChap(wrong)))
          .isInstanceOfSatisfying(
              LoginRefusedException.class, e -> assertThat(e.status()).isEqualTo(0x0201));
      assertThatThrownBy(() -> login(peer, SETTINGS)).isInstanceOf(LoginRefusedException.class);
    }
  }

  @Test
  void aPathComesBackAfterTheConnectionWasCut() {
    try (IscsiPath path =
        IscsiPath.open(tgtd.portal(), Tgtd.TARGET, SETTINGS, new WireCounters())) {
      LogicalUnit unit = new LogicalUnit(path, Lun.simple(1));
      unit.write(8, 8, filled(1));

      path.session().drop();

      assertThatThrownBy(unit::testUnitReady).isInstanceOf(TransportException.class);
      path.reconnect(Duration.ofSeconds(5));
      assertThat(unit.read(8, 8, 512)).isEqualTo(filled(1));
    }
  }

  @Test
  void commandsUnderWayFailWhenThePeerDies(@TempDir Path own) throws Exception {
    Tgtd peer = Tgtd.start(own, DISK_BYTES);
    IscsiSession session = login(peer, SETTINGS);
    LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));
    unit.testUnitReady();

    peer.close();

    assertThat(session.awaitEnd(Duration.ofSeconds(5))).isTrue();
    assertThatThrownBy(() -> unit.write(0, 8, filled(1))).isInstanceOf(TransportException.class);
  }

  @Test
  void unmappedBlocksAreReportedAsSuchAndReadAsZero() {
    try (IscsiSession session = login(SETTINGS)) {
      LogicalUnit unit = new LogicalUnit(session, Lun.simple(1));
      ScsiDisk disk = ScsiDisk.open(unit);
      disk.write(0, random(5, 1 << 20));

      disk.unmap(0, 1 << 20);

      assertThat(unit.read(0, 8, 512)).isEqualTo(ByteBuffer.allocate(4096));
      assertThat(unit.lbaStatus(0).getFirst().state()).isEqualTo(1);
    }
  }

  private static IscsiSession login(LoginSettings settings) {
    return login(tgtd, settings);
  }

  private static IscsiSession login(Tgtd peer, LoginSettings settings) {
    return IscsiSession.login(peer.portal(), Tgtd.TARGET, settings, new WireCounters());
  }

  private static ByteBuffer filled(int value) {
    ByteBuffer block = ByteBuffer.allocate(4096);
    while (block.hasRemaining()) {
      block.putInt(value);
    }
    return block.flip();
  }

  private static ByteBuffer random(long seed, int bytes) {
    byte[] data = new byte[bytes];
    new Random(seed).nextBytes(data);
    return ByteBuffer.wrap(data);
  }
}
