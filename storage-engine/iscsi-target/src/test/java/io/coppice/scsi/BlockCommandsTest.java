package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.MediumSettings;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What each block command does to a volume of 1 MiB, 2048 blocks.
class BlockCommandsTest {

  private final Fixture fixture = new Fixture();
  private VolumeId volume;
  private Initiator initiator;

  @BeforeEach
  void export() {
    volume = fixture.exported(1 << 20);
    initiator = fixture.plain();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void everyLengthOfReadAndWriteMovesTheSameBlocks() {
    assertGood(send("0a 00 0005 01 00", block(0x11)));
    assertGood(send("2a 00 00000006 00 0001 00", block(0x22)));
    assertGood(send("aa 00 00000007 00000001 00 00", block(0x33)));
    assertGood(send("8a 00 0000000000000008 00000001 00 00", block(0x44)));
    byte[] all = concat(block(0x11), block(0x22), block(0x33), block(0x44));

    assertThat(send("08 00 0005 04 00").data()).isEqualTo(all);
    assertThat(send("28 00 00000005 00 0004 00").data()).isEqualTo(all);
    assertThat(send("a8 00 00000005 00000004 00 00").data()).isEqualTo(all);
    assertThat(send("88 00 0000000000000005 00000004 00 00").data()).isEqualTo(all);
  }

  @Test
  void writeWithLessDataThanTheCdbSaysWritesWhatCame() {
    Reply reply = send("2a 00 00000000 00 0003 00", block(0x11));

    assertGood(reply);
    assertThat(reply.transferLength()).isEqualTo(3 * 512);
    assertThat(read(0, 2)).isEqualTo(concat(block(0x11), block(0)));
  }

  @Test
  void writeWithMoreDataThanTheCdbSaysWritesWhatItSays() {
    Reply reply = send("2a 00 00000000 00 0001 00", concat(block(0x11), block(0x22)));

    assertGood(reply);
    assertThat(reply.transferLength()).isEqualTo(512);
    assertThat(read(0, 2)).isEqualTo(concat(block(0x11), block(0)));
  }

  @Test
  void transfersBeyondTheLimitAreRefused() {
    fixture.engine.resize(op(), volume, 64 << 20);
    initiator.settle(LUN_0);

    assertThat(send("88 00 0000000000000000 00002001 00 00").code()).isEqualTo("5/24/00");
    assertThat(send("88 00 0000000000000000 00002000 00 00").data()).hasSize(4 << 20);
    assertThat(send("8a 00 0000000000000000 00002001 00 00").code()).isEqualTo("5/24/00");
  }

  @Test
  void verifyReadsComparesAndTellsWhereItDiffers() {
    assertGood(send("2a 00 00000000 00 0002 00", concat(block(0x11), block(0x11))));
    byte[] other = concat(block(0x11), block(0x11));
    other[700] = 0x12;

    assertGood(send("2f 00 00000000 00 0002 00"));
    assertGood(send("2f 02 00000000 00 0002 00", concat(block(0x11), block(0x11))));
    assertGood(send("8f 06 0000000000000000 00000002 00 00", block(0x11)));
    Reply differs = send("2f 02 00000000 00 0002 00", other);
    assertThat(differs.code()).isEqualTo("e/1d/00");
    assertThat(differs.sense()).startsWith("f0000e000002bc");
    assertThat(send("af 06 00000000 00000003 00 00", block(0x11)).code()).isEqualTo("e/1d/00");
    assertThat(send("2f 00 000007ff 00 0002 00").code()).isEqualTo("5/21/00");
  }

  @Test
  void verifyOfTheWholeMediumGoesPieceByPiece() {
    fixture.engine.resize(op(), volume, 64 << 20);
    initiator.settle(LUN_0);

    assertGood(send("8f 00 0000000000000000 00020000 00 00"));
  }

  @Test
  void writeAndVerifyWrites() {
    assertGood(send("2e 02 00000003 00 0001 00", block(0x77)));
    assertGood(send("8e 00 0000000000000004 00000001 00 00", block(0x78)));

    assertThat(read(3, 2)).isEqualTo(concat(block(0x77), block(0x78)));
  }

  @Test
  void writeSameRepeatsItsBlock() {
    assertGood(send("41 00 00000010 00 0009 00", block(0x5a)));
    assertGood(send("93 00 0000000000000019 00000001 00 00", block(0x5b)));

    assertThat(read(0x10, 10)).isEqualTo(concat(repeat(block(0x5a), 9), block(0x5b)));
  }

  @Test
  void writeSameOfZerosUnmaps() {
    assertGood(send("41 00 00000000 00 0040 00", block(0x5a)));
    assertGood(send("93 09 0000000000000000 00000010 00 00"));
    assertGood(send("93 01 0000000000000010 00000008 00 00"));
    assertGood(send("41 08 00000018 00 0008 00", block(0)));

    assertThat(read(0, 0x20)).containsOnly(0);
    assertThat(status(0)).isEqualTo("0000000000000000" + "00000020" + "01000000");
    assertThat(read(0x20, 1)).isEqualTo(block(0x5a));
  }

  @Test
  void writeSameWithUnmapStillWritesABlockThatIsNotZero() {
    assertGood(send("93 08 0000000000000000 00000008 00 00", block(0x5a)));

    assertThat(read(0, 8)).isEqualTo(repeat(block(0x5a), 8));
  }

  @Test
  void writeSameRefusesWhatTheLimitsSay() {
    assertThat(send("93 00 0000000000000000 00000001 00 00").code()).isEqualTo("5/24/00");
    assertThat(send("93 00 00000000000007ff 00000002 00 00", block(1)).code()).isEqualTo("5/21/00");
  }

  /// SBC-4 §5.52: with WSNZ = 0, zero blocks are all from the LBA to the last one, unless those are
  /// more than MAXIMUM WRITE SAME LENGTH; with WSNZ = 1 they are refused.
  @Test
  void writeSameOfZeroBlocksGoesToTheEndWhereThatIsAllowed() {
    ScsiSettings settings = ScsiSettings.defaults().withMedium(new MediumSettings(4096, true, 0));
    try (Fixture toEnd = new Fixture(new MemoryEngine(), settings)) {
      toEnd.exported(17 << 20);
      Initiator allowed = toEnd.plain();

      assertGood(allowed.send(LUN_0, "93 00 0000000000000800 00000000 00 00", block(0x5a)));
      assertGood(allowed.send(LUN_0, "41 00 000087f8 00 0000 00", block(0x5b)));
      assertGood(allowed.send(LUN_0, "93 00 0000000000008800 00000000 00 00", block(0x5c)));

      assertThat(allowed.send(LUN_0, "28 00 000007ff 00 0002 00").data())
          .isEqualTo(concat(block(0), block(0x5a)));
      assertThat(allowed.send(LUN_0, "28 00 000087f7 00 0009 00").data())
          .isEqualTo(concat(block(0x5a), repeat(block(0x5b), 8)));
      assertThat(allowed.send(LUN_0, "93 01 00000000000007ff 00000000 00 00").code())
          .isEqualTo("5/24/00");
      assertThat(allowed.send(LUN_0, "93 01 0000000000008801 00000000 00 00").code())
          .isEqualTo("5/21/00");
    }
    assertThat(send("93 01 0000000000000000 00000000 00 00").code()).isEqualTo("5/24/00");
    assertThat(send("41 00 00000000 00 0000 00", block(1)).code()).isEqualTo("5/24/00");
  }

  @Test
  void unmapFreesItsRuns() {
    assertGood(send("41 00 00000000 00 0040 00", block(0x5a)));
    String list =
        "0026 0020 00000000"
            + "0000000000000008 00000008 00000000"
            + "0000000000000020 00000010 00000000";

    assertGood(send("42 00 00000000 00 0028 00", bytes(list)));

    assertThat(read(8, 8)).containsOnly(0);
    assertThat(read(0x20, 0x10)).containsOnly(0);
    assertThat(read(0x10, 1)).isEqualTo(block(0x5a));
    assertThat(status(8)).isEqualTo("0000000000000008" + "00000008" + "01000000");
  }

  @Test
  void unmapOfNothingAtTheEndIsGoodAndBeyondItIsNot() {
    assertGood(send("42 00 00000000 00 0000 00"));
    assertGood(unmap("0000000000000800", "00000000"));
    assertThat(unmap("0000000000000801", "00000000").code()).isEqualTo("5/21/00");
    assertThat(unmap("00000000000007ff", "00000002").code()).isEqualTo("5/21/00");
    assertThat(unmap("ffffffffffffffff", "ffffffff").code()).isEqualTo("5/26/00");
  }

  private Reply unmap(String lba, String blocks) {
    return send(
        "42 00 00000000 00 0018 00", bytes("0016 0010 00000000" + lba + blocks + "00000000"));
  }

  @Test
  void unmapPartlyBeyondTheEndChangesNothing() {
    assertGood(send("41 00 00000000 00 0008 00", block(0x5a)));
    String list =
        "0026 0020 00000000"
            + "0000000000000000 00000008 00000000"
            + "00000000000007ff 00000002 00000000";

    assertThat(send("42 00 00000000 00 0028 00", bytes(list)).code()).isEqualTo("5/21/00");

    assertThat(read(0, 8)).isEqualTo(repeat(block(0x5a), 8));
  }

  @Test
  void compareAndWriteWritesOnlyWhatCompares() {
    assertGood(send("2a 00 00000004 00 0001 00", block(0x11)));

    assertGood(send("89 00 0000000000000004 000000 01 00 00", concat(block(0x11), block(0x22))));
    assertThat(read(4, 1)).isEqualTo(block(0x22));

    byte[] wrong = concat(block(0x22), block(0x33));
    wrong[5] = 0;
    Reply miscompare = send("89 00 0000000000000004 000000 01 00 00", wrong);
    assertThat(miscompare.code()).isEqualTo("e/1d/00");
    assertThat(miscompare.sense()).startsWith("f0000e00000005");
    assertThat(read(4, 1)).isEqualTo(block(0x22));
  }

  @Test
  void compareAndWriteNeedsTwiceItsLength() {
    assertThat(send("89 00 0000000000000004 000000 01 00 00", block(1)).code())
        .isEqualTo("5/24/00");
    assertThat(send("89 00 0000000000000004 000000 01 00 00", repeat(block(1), 3)).code())
        .isEqualTo("5/24/00");
    assertGood(send("89 00 0000000000000004 000000 00 00 00"));
  }

  @Test
  void lbaStatusOfAnLbaBeyondTheEndIsRefused() {
    assertThat(send("9e 12 0000000000000800 00000018 00 00").code()).isEqualTo("5/21/00");
  }

  @Test
  void lbaStatusTellsMappedFromDeallocated() {
    assertGood(send("41 00 00000008 00 0008 00", block(0x5a)));

    assertThat(send("9e 12 0000000000000000 00000038 00 00").hex())
        .isEqualTo(
            "00000034"
                + "00000000"
                + "0000000000000000"
                + "00000008"
                + "01000000"
                + "0000000000000008"
                + "00000008"
                + "00000000"
                + "0000000000000010"
                + "000007f0"
                + "01000000");
    assertThat(status(0x0c)).isEqualTo("000000000000000c" + "00000004" + "00000000");
  }

  /// The first descriptor.
  private String status(int lba) {
    return send("9e 12 %016x 00000018 00 00".formatted(lba)).hex(8, 24);
  }

  @Test
  void synchronizeCacheAndPrefetchOnlyCheckTheRange() {
    assertGood(send("35 00 00000000 00 0000 00"));
    assertGood(send("91 02 0000000000000001 000007ff 00 00"));
    assertGood(send("34 00 00000000 00 0800 00"));
    assertThat(send("35 00 00000001 00 0800 00").code()).isEqualTo("5/21/00");
    assertThat(send("90 00 0000000000000801 00000000 00 00").code()).isEqualTo("5/21/00");
  }

  @Test
  void snapshotIsWriteProtected() {
    VolumeId snapshot = VolumeId.random();
    fixture.engine.snapshot(
        op(), List.of(new SnapshotSpec(volume, snapshot, Map.of())), Duration.ofSeconds(1));
    fixture.luns().export(op(), snapshot, Optional.of(1), true, Set.of(ESX));
    String lun = "0001000000000000";
    initiator.settle(lun);

    for (String write :
        List.of(
            "2a 00 00000000 00 0001 00",
            "41 00 00000000 00 0001 00",
            "93 01 0000000000000000 00000001 00 00",
            "42 00 00000000 00 0000 00",
            "2e 00 00000000 00 0001 00",
            "89 00 0000000000000004 000000 01 00 00")) {
      assertThat(initiator.send(lun, write, block(1)).code()).as(write).isEqualTo("7/27/00");
    }
    assertThat(initiator.send(lun, "1a 08 0a 00 ff 00").hex(0, 4)).isEqualTo("0f009000");
    assertGood(initiator.send(lun, "28 00 00000000 00 0001 00"));
  }

  @Test
  void orWriteSetsBitsAndClearsNone() {
    send("2a 00 00000001 00 0001 00", block(0xa5));

    Reply reply = send("8b 00 0000000000000001 00000002 00 00", concat(block(0x5a), block(0x0f)));

    assertGood(reply);
    assertThat(reply.transferLength()).isEqualTo(1024);
    assertThat(read(0, 4)).isEqualTo(concat(block(0), block(0xff), block(0x0f), block(0)));
    assertGood(send("8b 00 0000000000000800 00000000 00 00"));
    assertThat(send("8b 00 0000000000000800 00000001 00 00", block(1)).code()).isEqualTo("5/21/00");
  }

  @Test
  void orWriteLongerThanAPieceSetsThemAll() {
    fixture.engine.resize(op(), volume, 8 << 20);
    initiator.settle(LUN_0);
    byte[] all = repeat(block(0x81), 3 << 11 | 1);

    assertGood(send("8b 00 0000000000000003 00001801 00 00", all));

    assertThat(send("88 00 0000000000000003 00001801 00 00").data()).isEqualTo(all);
    assertThat(read(0, 3)).isEqualTo(new byte[3 * 512]);
  }

  @Test
  void orWritesAtTheSameTimeLoseNoBit() {
    List<Initiator.Pending> all = new ArrayList<>();
    for (int bit = 0; bit < 8; bit++) {
      all.add(initiator.begin(LUN_0, "8b 00 0000000000000000 00000001 00 00", block(1 << bit)));
    }
    all.forEach(pending -> assertGood(Initiator.await(pending)));

    assertThat(read(0, 1)).isEqualTo(block(0xff));
  }

  /// Each byte is that of one of the writes that sent it, also where only one did.
  @Test
  void shortWritesAtTheSameTimeLoseNothing() {
    List<Initiator.Pending> all = new ArrayList<>();
    for (int length = 1; length <= 8; length++) {
      byte[] data = Arrays.copyOf(block(length), 60 * length);
      all.add(initiator.begin(LUN_0, "2a 00 00000000 00 0001 00", data));
    }
    all.forEach(pending -> assertGood(Initiator.await(pending)));

    byte[] found = read(0, 1);
    for (int at = 0; at < 512; at++) {
      int shortest = at / 60 + 1;
      assertThat((int) found[at])
          .as("byte %d", at)
          .isBetween(shortest > 8 ? 0 : shortest, shortest > 8 ? 0 : 8);
    }
  }

  @Test
  void atomicWriteIsAlignedAndWhole() {
    assertGood(send("9c 00 0000000000000008 0000 0010 00 00", repeat(block(0x11), 16)));

    assertThat(read(8, 16)).isEqualTo(repeat(block(0x11), 16));
    assertGood(send("9c 00 0000000000000000 0000 0000 00 00"));
    byte[] eight = repeat(block(0x22), 8);
    assertThat(send("9c 00 0000000000000001 0000 0008 00 00", eight).code()).isEqualTo("5/24/00");
    assertThat(send("9c 00 0000000000000008 0000 0001 00 00", eight).code()).isEqualTo("5/24/00");
    assertThat(send("9c 00 0000000000000008 0008 0008 00 00", eight).code()).isEqualTo("5/24/00");
    assertThat(send("9c 00 0000000000000008 0000 0010 00 00", eight).code()).isEqualTo("5/24/00");
    assertThat(send("9c 00 00000000000007f8 0000 0010 00 00", eight).code()).isEqualTo("5/21/00");
    assertThat(read(8, 16)).isEqualTo(repeat(block(0x11), 16));
  }

  @Test
  void atomicWriteIsAtMostAMebibyte() {
    fixture.engine.resize(op(), volume, 8 << 20);
    initiator.settle(LUN_0);

    assertGood(send("9c 00 0000000000000000 0000 0800 00 00", repeat(block(0x33), 0x800)));
    assertThat(send("9c 00 0000000000000000 0000 0808 00 00", repeat(block(0x44), 0x808)).code())
        .isEqualTo("5/24/00");

    assertThat(send("88 00 0000000000000000 00000800 00 00").data())
        .isEqualTo(repeat(block(0x33), 0x800));
  }

  @Test
  void unitIsStartedAndStaysSo() {
    assertGood(send("1b 00 00 00 01 00"));
    assertThat(send("1b 00 00 00 00 00").code()).isEqualTo("5/24/00");
    assertThat(send("1b 00 00 00 02 00").code()).isEqualTo("5/24/00");
    assertThat(send("1b 00 00 00 30 00").code()).isEqualTo("5/24/00");
    assertGood(send("00 00 00 00 00 00"));
  }

  @Test
  void outOfSpaceIsDataProtect() {
    try (Fixture small =
        new Fixture(new MemoryEngine(2 << 20, InstantSource.system()), ScsiSettings.defaults())) {
      small.exported(8 << 20);
      Initiator writer = small.plain();
      byte[] mebibyte = new byte[1 << 20];
      Arrays.fill(mebibyte, (byte) 1);

      assertGood(writer.send(LUN_0, "2a 00 00000000 00 0800 00", mebibyte));
      assertGood(writer.send(LUN_0, "2a 00 00000800 00 0800 00", mebibyte));
      assertThat(writer.send(LUN_0, "2a 00 00001000 00 0800 00", mebibyte).code())
          .isEqualTo("7/27/07");
    }
  }

  @Test
  void deletedVolumeAnswersLikeNoVolume() {
    fixture.engine.delete(op(), volume);

    assertThat(send("28 00 00000000 00 0001 00").code()).isEqualTo("5/25/00");
    Initiator later = new Initiator(fixture.target.plain(), ESX);
    assertThat(later.send(LUN_0, "00 00 00 00 00 00").code()).isEqualTo("5/25/00");
  }

  private Reply send(String cdb, byte... dataOut) {
    return initiator.send(LUN_0, cdb, dataOut);
  }

  private byte[] read(int lba, int blocks) {
    return send("28 00 %08x 00 %04x 00".formatted(lba, blocks)).data();
  }

  private static void assertGood(Reply reply) {
    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
  }

  private static byte[] block(int value) {
    byte[] block = new byte[512];
    Arrays.fill(block, (byte) value);
    return block;
  }

  private static byte[] repeat(byte[] block, int times) {
    byte[] all = new byte[block.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(block, 0, all, i * block.length, block.length);
    }
    return all;
  }

  private static byte[] concat(byte[]... parts) {
    byte[] all = new byte[0];
    for (byte[] part : parts) {
      int at = all.length;
      all = Arrays.copyOf(all, at + part.length);
      System.arraycopy(part, 0, all, at, part.length);
    }
    return all;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
