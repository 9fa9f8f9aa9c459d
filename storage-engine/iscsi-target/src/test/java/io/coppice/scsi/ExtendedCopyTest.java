package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExtendedCopyTest {

  private static final String FIRST = "0001d20000010000";
  private static final String SECOND = "0001d20000020000";

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void segmentsAreCopiedBetweenBoundVolumes() {
    fixture.bound(fixture.volume(1 << 20));
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = settled(FIRST, SECOND);
    initiator.send(FIRST, "41 00 00000000 00 0100 00", block(0x5a));

    Reply reply =
        copy(
            initiator,
            FIRST,
            naa(initiator, FIRST) + naa(initiator, SECOND),
            segment(0, 1, 0x80, 0, 0x200) + segment(0, 1, 1, 0, 3) + segment(1, 0, 0, 0, 0));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(initiator, SECOND, 0x200, 0x80)).containsOnly(0x5a).hasSize(0x80 * 512);
    assertThat(read(initiator, SECOND, 3, 1)).containsOnly(0x5a);
    assertThat(read(initiator, SECOND, 4, 1)).containsOnly(0);
    assertThat(initiator.send(FIRST, "84 00 07 00000000000000 00000010 00 00").hex())
        .isEqualTo("00000008" + "01" + "0003" + "01" + "00000040");
  }

  @Test
  void boundAndPlainUnitsAreReachedFromEitherTarget() {
    fixture.bound(fixture.volume(1 << 20));
    fixture.exported(1 << 20);
    Initiator endpoints = settled(FIRST);
    Initiator plain = fixture.plain();
    endpoints.send(FIRST, "41 00 00000000 00 0008 00", block(0x11));

    Reply reply =
        copy(plain, LUN_0, naa(endpoints, FIRST) + naa(plain, LUN_0), segment(0, 1, 8, 0, 0x10));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(plain, LUN_0, 0x10, 8)).containsOnly(0x11);
  }

  @Test
  void unitOfAnotherHostCannotBeNamed() {
    VolumeId secret = fixture.volume(1 << 20);
    fixture.luns().bind(op(), OTHER_HOST, secret, Set.of());
    fixture.bound(fixture.volume(1 << 20));
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    other.settle(FIRST);
    other.send(FIRST, "41 00 00000000 00 0008 00", block(0x66));
    String secretName = naa(other, FIRST);
    Initiator initiator = settled(SECOND);
    String ownName = naa(initiator, SECOND);

    Reply from = copy(initiator, SECOND, secretName + ownName, segment(0, 1, 8, 0, 0));
    Reply to = copy(initiator, SECOND, secretName + ownName, segment(1, 0, 8, 0, 0));

    assertThat(from.code()).isEqualTo("a/0d/02");
    assertThat(to.code()).isEqualTo("a/0d/02");
    assertThat(read(initiator, SECOND, 0, 8)).containsOnly(0);
    assertThat(read(other, FIRST, 0, 8)).containsOnly(0x66);
  }

  @Test
  void unboundVolumeCannotBeNamedAnyMore() {
    VolumeId gone = fixture.volume(1 << 20);
    fixture.bound(gone);
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = settled(FIRST, SECOND);
    String devices = naa(initiator, FIRST) + naa(initiator, SECOND);
    fixture.luns().unbind(op(), Fixture.HOST, gone);

    Reply reply = copy(initiator, SECOND, devices, segment(0, 1, 8, 0, 0));

    assertThat(reply.code()).isEqualTo("a/0d/02");
  }

  @Test
  void failuresNameTheSegmentAndKeepTheOnesBefore() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = settled(FIRST);
    initiator.send(FIRST, "41 00 00000000 00 0008 00", block(0x11));

    Reply beyond =
        copy(
            initiator,
            FIRST,
            naa(initiator, FIRST),
            segment(0, 0, 8, 0, 0x100) + segment(0, 0, 8, 0, 0x7ff));
    Reply unlisted = copy(initiator, FIRST, naa(initiator, FIRST), segment(0, 1, 8, 0, 0x100));

    assertThat(beyond.code()).isEqualTo("a/00/00");
    assertThat(beyond.sense().substring(16, 24)).isEqualTo("00000001");
    assertThat(read(initiator, FIRST, 0x100, 8)).containsOnly(0x11);
    assertThat(unlisted.code()).isEqualTo("a/08/04");
    assertThat(initiator.send(FIRST, "84 00 07 00000000000000 00000010 00 00").hex(4, 5))
        .isEqualTo("02");
  }

  /// SPC-4 §6.18.5: the status and sense data that the command ended with; AVAILABLE DATA is 0
  /// where nothing failed.
  @Test
  void failureDetailsAreThoseOfTheFailedSegment() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = settled(FIRST);
    String details = "84 04 07 00000000000000 00000100 00 00";
    String unknown = initiator.send(FIRST, details).hex();
    copy(initiator, FIRST, naa(initiator, FIRST), segment(0, 0, 8, 0, 0x100));
    String succeeded = initiator.send(FIRST, details).hex();

    Reply failed = copy(initiator, FIRST, naa(initiator, FIRST), segment(0, 0, 8, 0, 0x7ff));
    Reply answer = initiator.send(FIRST, details);

    String sense = failed.sense();
    assertThat(unknown).isEqualTo("00000000");
    assertThat(succeeded).isEqualTo("00000000");
    assertThat(answer.hex())
        .isEqualTo(
            "%08x".formatted(56 + sense.length() / 2)
                + "00".repeat(52)
                + "0200%04x".formatted(sense.length() / 2)
                + sense);
  }

  /// SPC-4 §6.18.3: no segment descriptor that we take holds data.
  @Test
  void noDataIsHeld() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = settled(FIRST);
    copy(initiator, FIRST, naa(initiator, FIRST), segment(0, 0, 8, 0, 0x100));

    assertThat(initiator.send(FIRST, "84 01 07 00000000000000 00000100 00 00").hex())
        .isEqualTo("00000000");
    assertThat(initiator.send(FIRST, "84 01 08 00000000000000 00000100 00 00").code())
        .isEqualTo("5/24/00");
  }

  @Test
  void readOnlyDestinationAbortsTheCopy() {
    VolumeId volume = fixture.volume(1 << 20);
    fixture.luns().export(op(), volume, Optional.of(0), true, Set.of(ESX));
    Initiator plain = fixture.plain();

    Reply reply = copy(plain, LUN_0, naa(plain, LUN_0), segment(0, 0, 8, 0, 0x100));

    assertThat(reply.code()).isEqualTo("a/27/00");
  }

  @Test
  void reservationOfAnotherInitiatorConflicts() {
    fixture.exported(1 << 20);
    Initiator plain = fixture.plain();
    fixture.bound(fixture.volume(1 << 20));
    Initiator endpoints = settled(FIRST);
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    String devices = naa(plain, LUN_0) + naa(endpoints, FIRST);
    other.send(LUN_0, "16 00 00 00 00 00");

    assertThat(copy(endpoints, FIRST, devices, segment(1, 0, 8, 0, 0)).status())
        .isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(state(endpoints)).as("failed").isEqualTo("02");
  }

  @Test
  void copyThatFindsNoWorkerHasFailed() throws Exception {
    ScsiLimits few = new ScsiLimits(4 << 20, 16 << 20, 512L << 20, 256, 16, 64, 1, 1, 1);
    ScsiSettings settings = ScsiSettings.defaults().withCommandLimits(few);
    try (Fixture busy = new Fixture(new MemoryEngine(), settings)) {
      busy.exported(1 << 20);
      Initiator holding = busy.plain();
      Initiator copying = new Initiator(busy.target.plain(), OTHER);
      copying.settle(LUN_0);
      String devices = naa(copying, LUN_0);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch held = new CountDownLatch(1);
      holding.use(
          length -> {
            begun.countDown();
            try {
              held.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return ByteBuffer.allocateDirect(length);
          });
      Initiator.Pending working = holding.begin(LUN_0, "9e 12 0000000000000000 00000018 00 00");
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
      Initiator.Pending waiting = holding.begin(LUN_0, "9e 12 0000000000000000 00000018 00 00");

      Reply reply = copy(copying, LUN_0, devices, segment(0, 0, 8, 0, 0x100));
      held.countDown();

      assertThat(reply.status()).isEqualTo(ScsiStatus.TASK_SET_FULL);
      assertThat(state(copying, LUN_0)).as("failed").isEqualTo("02");
      assertThat(Initiator.await(working).status()).isEqualTo(ScsiStatus.GOOD);
      assertThat(Initiator.await(waiting).status()).isEqualTo(ScsiStatus.GOOD);
    }
  }

  private static String state(Initiator initiator) {
    return state(initiator, FIRST);
  }

  /// COPY MANAGER STATUS of the copy with the list identifier 7.
  private static String state(Initiator initiator, String lun) {
    return initiator.send(lun, "84 00 07 00000000000000 00000010 00 00").hex(4, 5);
  }

  @Test
  void operatingParametersTellTheLimits() {
    fixture.exported(1 << 20);
    Initiator plain = fixture.plain();

    Reply reply = plain.send(LUN_0, "84 03 00 00000000000000 000000ff 00 00");

    assertThat(reply.hex(8, 16)).isEqualTo("0010" + "0040" + "00000a00");
    assertThat(reply.hex(43, 47)).isEqualTo("03" + "020ae4");
  }

  private Initiator settled(String... luns) {
    Initiator initiator = fixture.endpoints();
    Arrays.stream(luns).forEach(initiator::settle);
    return initiator;
  }

  /// Identification descriptor of the unit at a LUN, with the name it tells in VPD page 83h.
  private static String naa(Initiator initiator, String lun) {
    String name = initiator.send(lun, "12 01 83 00 ff 00").hex(8, 24);
    return "e4000000" + "01030010" + name + "00000000" + "00000200";
  }

  private static String segment(int from, int to, int blocks, long lba, long toLba) {
    return "02000018%04x%04x0000%04x%016x%016x".formatted(from, to, blocks, lba, toLba);
  }

  private static Reply copy(Initiator initiator, String lun, String devices, String segments) {
    String list =
        "0700%04x00000000%08x00000000".formatted(devices.length() / 2, segments.length() / 2)
            + devices
            + segments;
    return initiator.send(
        lun,
        "83 00 0000000000000000 %08x 00 00".formatted(list.length() / 2),
        HexFormat.of().parseHex(list));
  }

  private static byte[] read(Initiator initiator, String lun, int lba, int blocks) {
    return initiator.send(lun, "28 00 %08x 00 %04x 00".formatted(lba, blocks)).data();
  }

  private static byte[] block(int value) {
    byte[] block = new byte[512];
    Arrays.fill(block, (byte) value);
    return block;
  }
}
