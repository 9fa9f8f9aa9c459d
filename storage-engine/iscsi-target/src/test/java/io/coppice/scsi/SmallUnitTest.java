package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Units that end within a MiB, of 8 blocks (4 KiB) and more, on the real engine.
class SmallUnitTest {

  private static final String LUN_1 = "0001000000000000";

  private final Fixture fixture = new Fixture(SmallPools.open(), ScsiSettings.defaults());

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 1056, 2048 - 8, 2048 + 8})
  void everyBlockIsThereAndTheNextOneIsNot(int blocks) {
    fixture.exported(blocks * 512L);
    Initiator one = fixture.plain();
    int last = blocks - 8;

    assertThat(one.send(LUN_0, "9e 10 0000000000000000 00000020 00 00").hex(0, 12))
        .isEqualTo("%016x".formatted(blocks - 1) + "00000200");
    assertThat(one.send(LUN_0, "25 00 00000000 0000 00 00").hex())
        .isEqualTo("%08x".formatted(blocks - 1) + "00000200");
    good(one.send(LUN_0, "2a 00 %08x 00 0008 00".formatted(last), filled(8)));
    assertThat(one.send(LUN_0, "28 00 %08x 00 0008 00".formatted(last)).data())
        .isEqualTo(filled(8));
    for (String beyond :
        new String[] {
          "28 00 %08x 00 0001 00",
          "2a 00 %08x 00 0001 00",
          "41 00 %08x 00 0001 00",
          "2f 02 %08x 00 0001 00",
          "9e 12 00000000%08x 00000018 00 00",
          "89 00 00000000%08x 000000 01 00 00"
        }) {
      assertThat(one.send(LUN_0, beyond.formatted(blocks), filled(2)).code())
          .as(beyond)
          .isEqualTo("5/21/00");
    }
    assertThat(one.send(LUN_0, "2a 00 %08x 00 0009 00".formatted(last), filled(9)).code())
        .isEqualTo("5/21/00");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 1056, 2048 - 8, 2048 + 8})
  void lastBlocksAreMappedAndFreed(int blocks) {
    VolumeId volume = fixture.exported(blocks * 512L);
    Initiator one = fixture.plain();
    int last = blocks - 8;

    good(one.send(LUN_0, "93 00 0000000000000000 %08x 00 00".formatted(blocks), filled(1)));
    assertThat(status(one, 0)).isEqualTo("%08x".formatted(blocks) + "00");
    assertThat(fixture.engine.spaceOf(volume).mapped()).isEqualTo(blocks * 512L);

    assertThat(unmap(one, last, 9).code()).isEqualTo("5/21/00");
    assertThat(status(one, last)).isEqualTo("00000008" + "00");
    good(unmap(one, last, 8));
    assertThat(status(one, last)).isEqualTo("00000008" + "01");
    assertThat(fixture.engine.spaceOf(volume).mapped()).isEqualTo(last * 512L);

    good(one.send(LUN_0, "93 09 0000000000000000 %08x 00 00".formatted(blocks)));
    assertThat(fixture.engine.spaceOf(volume).mapped()).isZero();
  }

  @Test
  void lastBlocksAreCopiedAndNoneBeyondThem() {
    fixture.exported(1056 * 512);
    fixture.exported(2056 * 512);
    Initiator one = fixture.plain();
    one.settle(LUN_1);
    good(one.send(LUN_0, "2a 00 00000418 00 0008 00", filled(8)));

    good(copy(one, 8, 0x418, 0x800));
    assertThat(one.send(LUN_1, "28 00 00000800 00 0008 00").data()).isEqualTo(filled(8));

    assertThat(copy(one, 8, 0x419, 0).status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
    assertThat(copy(one, 8, 0, 0x801).status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
    assertThat(one.send(LUN_1, "28 00 00000000 00 0008 00").data()).isEqualTo(new byte[8 * 512]);
  }

  @Test
  void hostsHearOfTheNewCapacity() {
    VolumeId volume = fixture.exported(528 << 10);
    Initiator one = fixture.plain();

    for (long size : new long[] {1 << 20, (1 << 20) + 4096}) {
      fixture.engine.resize(op(), volume, size);
      assertThat(one.send(LUN_0, "00 00 00 00 00 00").code()).isEqualTo("6/2a/09");
      assertThat(one.send(LUN_0, "25 00 00000000 0000 00 00").hex(0, 4))
          .isEqualTo("%08x".formatted(size / 512 - 1));
    }
  }

  /// SBC-4 §6.4.4: in sets of 1 MiB. What is available rounds down, what is used rounds up.
  @Test
  void resourcesOfAReservedUnitAreRoundedToSets() {
    VolumeId thick = VolumeId.random();
    fixture.engine.create(op(), new VolumeSpec(thick, (1 << 20) + 4096, true, Map.of()));
    fixture.luns().export(op(), thick, Optional.of(0), false, Set.of(ESX, OTHER));
    Initiator one = fixture.plain();

    assertThat(resources(one)).as("1 MiB and 4 KiB set aside").isEqualTo("00000001" + "00000000");
    good(one.send(LUN_0, "2a 00 00000800 00 0008 00", filled(8)));
    assertThat(resources(one)).as("4 KiB used").isEqualTo("00000001" + "00000001");
    good(one.send(LUN_0, "2a 00 00000000 00 0008 00", filled(8)));
    assertThat(resources(one)).as("less than a set is left").isEqualTo("00000000" + "00000001");
  }

  /// Available and used, in threshold sets.
  private static String resources(Initiator initiator) {
    Reply page = initiator.send(LUN_0, "4d 00 4c 00 00 0000 0100 00");
    return page.hex(8, 12) + page.hex(20, 24);
  }

  /// Number of blocks and provisioning status of the first descriptor from a block on.
  private static String status(Initiator initiator, int lba) {
    return initiator.send(LUN_0, "9e 12 %016x 00000018 00 00".formatted(lba)).hex(16, 21);
  }

  private static Reply unmap(Initiator initiator, int lba, int blocks) {
    String list = "0016001000000000" + "%016x%08x".formatted(lba, blocks) + "00000000";
    return initiator.send(LUN_0, "42 00 00000000 00 0018 00", HexFormat.of().parseHex(list));
  }

  /// EXTENDED COPY from the first unit to the second.
  private static Reply copy(Initiator initiator, int blocks, long from, long to) {
    String devices = device(initiator, LUN_0) + device(initiator, LUN_1);
    String segment = "02000018000000010000%04x%016x%016x".formatted(blocks, from, to);
    String list =
        "0700%04x00000000%08x00000000".formatted(devices.length() / 2, segment.length() / 2)
            + devices
            + segment;
    return initiator.send(
        LUN_0,
        "83 00 0000000000000000 %08x 00 00".formatted(list.length() / 2),
        HexFormat.of().parseHex(list));
  }

  private static String device(Initiator initiator, String lun) {
    String name = initiator.send(lun, "12 01 83 00 ff 00").hex(8, 24);
    return "e4000000" + "01030010" + name + "00000000" + "00000200";
  }

  private static byte[] filled(int blocks) {
    byte[] bytes = new byte[blocks * 512];
    Arrays.fill(bytes, (byte) 0x5a);
    return bytes;
  }

  private static void good(Reply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(ScsiStatus.GOOD);
  }
}
