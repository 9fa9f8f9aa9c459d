package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.setting.MediumSettings;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScsiTargetTest {

  private static final String TUR = "00 00 00 00 00 00";
  private static final String INQUIRY = "12 00 00 00 ff 00";

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void firstCommandReportsPowerOnAndTheNextIsServed() {
    fixture.exported(1 << 20);
    Initiator initiator = new Initiator(fixture.target.plain(), ESX);

    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("6/29/00");
    assertThat(initiator.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void inquiryIsServedBeforeTheUnitAttention() {
    fixture.exported(1 << 20);
    Initiator initiator = new Initiator(fixture.target.plain(), ESX);

    Initiator.Reply inquiry = initiator.send(LUN_0, INQUIRY);

    assertThat(inquiry.hex(0, 8)).isEqualTo("0000" + "0612" + "5b38" + "0002");
    assertThat(inquiry.hex(8, 16)).isEqualTo(hex("COPPICE "));
    assertThat(inquiry.hex(16, 32)).isEqualTo(hex("vVol            "));
    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("6/29/00");
  }

  @Test
  void writtenBlocksAreReadBack() {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    byte[] data = new byte[1024];
    Arrays.fill(data, (byte) 0xa5);

    Initiator.Reply written = initiator.send(LUN_0, "2a 00 00000007 00 0002 00", data);
    Initiator.Reply read = initiator.send(LUN_0, "88 00 0000000000000006 00000003 00 00");

    assertThat(written.status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(written.transferLength()).isEqualTo(1024);
    assertThat(read.data()).hasSize(1536);
    assertThat(Arrays.copyOf(read.data(), 512)).containsOnly(0);
    assertThat(Arrays.copyOfRange(read.data(), 512, 1536)).isEqualTo(data);
  }

  @Test
  void physicalBlocksMayBeCalledThoseOf512Bytes() {
    try (Fixture single =
        new Fixture(
            new MemoryEngine(),
            ScsiSettings.defaults().withMedium(new MediumSettings(512, false, 0)))) {
      single.exported(1 << 20);

      String capacity =
          single.plain().send(LUN_0, "9e 10 0000000000000000 00000020 00 00").hex(12, 16);

      assertThat(capacity).isEqualTo("0000c000");
    }
  }

  @Test
  void capacityIsInBlocksOf512AndThin() {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();

    assertThat(initiator.send(LUN_0, "25 00 00000000 0000 00 00").hex())
        .isEqualTo("000007ff" + "00000200");
    assertThat(initiator.send(LUN_0, "9e 10 0000000000000000 00000020 00 00").hex())
        .isEqualTo("00000000000007ff" + "00000200" + "00" + "03" + "c000" + "00".repeat(16));
  }

  @Test
  void rangesBeyondTheEndAreRefused() {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();

    assertThat(initiator.send(LUN_0, "28 00 000007ff 00 0002 00").code()).isEqualTo("5/21/00");
    assertThat(initiator.send(LUN_0, "88 00 ffffffffffffffff 00000001 00 00").code())
        .isEqualTo("5/21/00");
    assertThat(initiator.send(LUN_0, "8a 00 7fffffffffffffff ffffffff 00 00").code())
        .isEqualTo("5/21/00");
    assertThat(initiator.send(LUN_0, "28 00 00000800 00 0000 00").status())
        .isEqualTo(ScsiStatus.GOOD);
    assertThat(initiator.send(LUN_0, "28 00 00000801 00 0000 00").code()).isEqualTo("5/21/00");
  }

  @Test
  void boundVolumeAnswersAtEveryFormOfItsNumber() {
    VolumeId volume = fixture.volume(1 << 20);
    Binding binding = fixture.bound(volume);
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001d20000010000");

    assertThat(binding.secondaryId()).isEqualTo("0xd2000001");
    for (String lun :
        Set.of(
            "0001d20000010000",
            "0001000100000000",
            "0001400100000000",
            "0001e20000000001",
            "4001d20000010000",
            "d20000010001" + "0000")) {
      assertThat(initiator.send(lun, TUR).status()).as(lun).isEqualTo(ScsiStatus.GOOD);
    }
  }

  @Test
  void boundVolumeIsOfTheConglomerateAndKeepsItsData() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = fixture.endpoints();
    String lun = "0001d20000010000";
    initiator.settle(lun);
    byte[] data = new byte[512];
    Arrays.fill(data, (byte) 0x5a);

    initiator.send(lun, "2a 00 00000000 00 0001 00", data);

    assertThat(initiator.send(lun, INQUIRY).hex(0, 2)).isEqualTo("0040");
    assertThat(initiator.send(lun, "28 00 00000000 00 0001 00").data()).isEqualTo(data);
  }

  @Test
  void numberAnswersOnlyTheHostThatBoundIt() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator stranger = new Initiator(fixture.target.endpoints(), Fixture.OTHER);
    String lun = "0001d20000010000";

    assertThat(stranger.send(lun, TUR).code()).isEqualTo("5/68/01");
    assertThat(stranger.send(lun, INQUIRY).hex(0, 2)).isEqualTo("7f40");
    assertThat(stranger.send("0009d20000010000", TUR).code()).isEqualTo("5/25/00");
  }

  @Test
  void lunZeroOfTheEndpointTargetAnswersInquiryAndReportLunsOnly() {
    Initiator initiator = fixture.endpoints();

    assertThat(initiator.send(LUN_0, INQUIRY).hex(0, 2)).isEqualTo("3f40");
    assertThat(initiator.send(LUN_0, "a0 00 00 000000 00000100 00 00").hex())
        .isEqualTo("00000008" + "00000000" + "0001000000000000");
    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("5/25/00");
  }

  @Test
  void reportLunsSelectsAsSpcSays() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = fixture.endpoints();
    String endpoint = "0001000000000000";

    assertThat(luns(initiator, LUN_0, "00")).isEqualTo("0001000000000000");
    assertThat(luns(initiator, LUN_0, "01")).isEqualTo("c101000000000000");
    assertThat(luns(initiator, LUN_0, "02")).isEqualTo("0001000000000000c101000000000000");
    assertThat(luns(initiator, LUN_0, "10")).isEqualTo("0001000000000000");
    assertThat(luns(initiator, LUN_0, "11")).isEqualTo("0001000000000000");
    assertThat(luns(initiator, "c101000000000000", "11")).isEqualTo("0001000000000000");
    assertThat(luns(initiator, endpoint, "12")).isEqualTo("00010000000000000001d20000010000");
    assertThat(luns(initiator, LUN_0, "12")).isEqualTo("5/24/00");
    assertThat(luns(initiator, endpoint, "10")).isEqualTo("5/24/00");
    assertThat(luns(initiator, LUN_0, "03")).isEqualTo("5/24/00");
  }

  private static String luns(Initiator initiator, String lun, String select) {
    Initiator.Reply reply = initiator.send(lun, "a0 00 " + select + " 000000 00000100 00 00");
    return reply.status() == ScsiStatus.GOOD ? reply.hex().substring(16) : reply.code();
  }

  @Test
  void bindRaisesAnInventoryChangeAtTheEndpointUntilReportLuns() {
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001000000000000");

    fixture.bound(fixture.volume(1 << 20));

    assertThat(initiator.send("0001000000000000", TUR).code()).isEqualTo("6/3f/0e");
    fixture.bound(fixture.volume(1 << 20));
    assertThat(luns(initiator, "0001000000000000", "12")).hasSize(48);
    assertThat(initiator.send("0001000000000000", TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void endpointIsReadyButHasNoData() {
    Initiator initiator = fixture.endpoints();
    String endpoint = "0001000000000000";
    initiator.settle(endpoint);

    assertThat(initiator.send(endpoint, INQUIRY).hex(0, 2)).isEqualTo("0040");
    assertThat(initiator.send(endpoint, "25 00 00000000 0000 00 00").hex())
        .isEqualTo("000007ff" + "00000200");
    assertThat(initiator.send(endpoint, "2a 00 00000000 00 0001 00", new byte[512]).code())
        .isEqualTo("5/20/00");
  }

  /// What a Linux host asks of each disk that it finds, before anybody uses it: a read that ends in
  /// an error would stand in its kernel's log.
  @Test
  void hostThatLooksForPartitionsOnAnEndpointFindsZeros() {
    Initiator initiator = fixture.endpoints();
    String endpoint = "0001000000000000";
    initiator.settle(endpoint);

    for (String scan :
        List.of(
            "12 00 00 0024 00",
            "12 01 00 00ff 00",
            "00 00 00 00 00 00",
            "9e 10 0000000000000000 00000020 00 00",
            "1a 00 3f 00 04 00",
            "1a 00 08 00 ff 00",
            "a3 0a 00 00 0000 000000ff 00 00")) {
      assertThat(initiator.send(endpoint, scan).status()).as(scan).isEqualTo(ScsiStatus.GOOD);
    }
    assertThat(initiator.send(endpoint, "1a 00 3f 00 04 00").hex(2, 3)).as("WP").isEqualTo("90");
    assertZeros(initiator.send(endpoint, "28 00 00000000 00 0008 00"), 8);
    assertZeros(initiator.send(endpoint, "28 00 000007f8 00 0008 00"), 8);
    assertZeros(initiator.send(endpoint, "88 00 0000000000000000 00000800 00 00"), 2048);
    assertZeros(initiator.send(endpoint, "a8 00 000007ff 00000001 00 00"), 1);
    assertZeros(initiator.send(endpoint, "08 00 0001 01 00"), 1);
    assertThat(initiator.send(endpoint, "28 00 00000800 00 0000 00").status())
        .isEqualTo(ScsiStatus.GOOD);
    assertThat(initiator.send(endpoint, "28 00 000007ff 00 0002 00").code()).isEqualTo("5/21/00");
    assertThat(initiator.send(endpoint, "88 00 7fffffffffffffff 00000001 00 00").code())
        .isEqualTo("5/21/00");
    assertThat(initiator.send(endpoint, "a3 0c 01 28 0000 000000ff 00 00").hex(1, 2))
        .as("READ (10) is supported")
        .isEqualTo("03");
    assertThat(initiator.send(endpoint, "a3 0c 01 2a 0000 000000ff 00 00").hex(1, 2))
        .as("WRITE (10) is not")
        .isEqualTo("01");
  }

  private static void assertZeros(Initiator.Reply reply, int blocks) {
    assertThat(reply.status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(reply.data()).hasSize(blocks * 512).containsOnly(0);
  }

  @Test
  void endpointNamesItselfAsTheDirectoryDoes() {
    ProtocolEndpoint endpoint = fixture.luns().endpoints().getFirst();
    Initiator initiator = fixture.endpoints();

    Initiator.Reply page = initiator.send("0001000000000000", "12 01 83 00 ff 00");

    assertThat("naa." + page.hex(8, 24)).isEqualTo(endpoint.naa());
  }

  @Test
  void restartServesFromThePoolAlone() {
    VolumeId bound = fixture.volume(1 << 20);
    Binding binding = fixture.bound(bound);
    VolumeId exported = fixture.exported(2 << 20);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(again.luns().bindings()).containsExactly(binding);
      assertThat(again.luns().exportOf(exported)).isEqualTo(fixture.luns().exportOf(exported));
      assertThat(again.luns().endpoints()).isEqualTo(fixture.luns().endpoints());
      assertThat(again.plain().name()).isEqualTo(fixture.target.plain().name());
      Initiator initiator = new Initiator(again.endpoints(), ESX);
      initiator.settle("0001d20000010000");
      Initiator plain = new Initiator(again.plain(), ESX);
      plain.settle(LUN_0);
      assertThat(plain.send(LUN_0, "25 00 00000000 0000 00 00").hex())
          .isEqualTo("00000fff" + "00000200");
    }
  }

  @Test
  void namesDeriveFromThePool() {
    String pool = fixture.engine.pool().id().toString().replace("-", "").substring(0, 12);

    assertThat(fixture.target.endpoints().name())
        .isEqualTo("iqn.2026-11.io.coppice:" + pool + ":pe");
    assertThat(fixture.target.plain().name()).isEqualTo("iqn.2026-11.io.coppice:" + pool + ":lun");
  }

  @Test
  void targetsAdmitOnlyWhoSeesAUnit() {
    assertThat(fixture.target.endpoints().admits(ESX)).isTrue();
    assertThat(fixture.target.endpoints().admits("iqn.x:nobody")).isFalse();
    assertThat(fixture.target.plain().admits(ESX)).isFalse();

    fixture.exported(1 << 20);

    assertThat(fixture.target.plain().admits(ESX)).isTrue();
    assertThat(fixture.target.plain().admits("iqn.x:nobody")).isFalse();
  }

  @Test
  void resizeRaisesCapacityChangedOnce() {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();

    fixture.engine.resize(op(), volume, 2 << 20);

    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("6/2a/09");
    assertThat(initiator.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
