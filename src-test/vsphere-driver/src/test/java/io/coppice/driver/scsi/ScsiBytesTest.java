package io.coppice.driver.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bytes against the standards' tables, written out by hand.
class ScsiBytesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0xd2000005, 0001d20000050000",
    "255, 0xe20000000041, 00ffe20000000041",
    "256, 0xd2000001, 0100d20000010000",
    "3, 0005, 0003000500000000"
  })
  void aSubsidiaryNumberFollowsItsEndpoint(int endpoint, String secondary, String expected) {
    assertThat(Lun.subsidiary(Lun.simple(endpoint), secondary).value())
        .isEqualTo(HexFormat.fromHexDigitsToLong(expected));
  }

  @ParameterizedTest
  @CsvSource({"0x", "0xd20000000000000001", "xyz", "0xd2000"})
  void aSecondaryIdThatIsNoElementIsRefused(String secondary) {
    assertThatThrownBy(() -> Lun.subsidiary(Lun.simple(1), secondary))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 6 bytes");
  }

  @Test
  void commandsHaveTheirFieldsWhereTheStandardPutsThem() {
    assertThat(hex(Cdbs.read16(0x0102030405L, 0x10))).isEqualTo("88000000000102030405000000100000");
    assertThat(hex(Cdbs.compareAndWrite(9, 1))).isEqualTo("89000000000000000009000000010000");
    assertThat(hex(Cdbs.writeSame16(1, 2, true, true)))
        .isEqualTo("93090000000000000001000000020000");
    assertThat(hex(Cdbs.reportLuns(0x12, 4096))).isEqualTo("a00012000000000010000000");
    assertThat(hex(Cdbs.vpd(0x83, 255))).isEqualTo("12018300ff00");
    assertThat(hex(Cdbs.unmap(24))).isEqualTo("42000000000000001800");
    assertThat(hex(Cdbs.populateToken(7, 32))).isEqualTo("83100000000000000007000000200000");
    assertThat(hex(Cdbs.writeUsingToken(8, 552))).isEqualTo("83110000000000000008000002280000");
    assertThat(hex(Cdbs.receiveTokenInformation(7, 550)))
        .isEqualTo("84070000000700000000000002260000");
    assertThat(hex(Cdbs.write10(0x01020304, 0x0506))).isEqualTo("2a000102030400050600");
    assertThat(hex(Cdbs.reportSupportedOperationCodes(16))).isEqualTo("a30c00000000000000100000");
  }

  @Test
  void fixedSenseIsDecoded() {
    Sense sense = Sense.decode(bytes("f0000e00000200 0a 00000000 1d00 00 000000"));

    assertThat(sense).isEqualTo(new Sense(Sense.MISCOMPARE, 0x1D, 0, true, 512));
  }

  @Test
  void descriptorSenseIsDecoded() {
    Sense sense = Sense.decode(bytes("72 05 20 0d 0000000c 00 0a 80 00 0000000000000007"));

    assertThat(sense).isEqualTo(new Sense(Sense.ILLEGAL_REQUEST, 0x20, 0x0D, true, 7));
  }

  @ParameterizedTest
  @CsvSource({"700005", "00000000", "70000500000000"})
  void senseThatIsCutOrUnknownIsRefused(String hex) {
    assertThatThrownBy(() -> Sense.decode(bytes(hex))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDesignatorPageIsReadInOrder() {
    List<Designator> page = Designator.decodePage(bytes("0083000c 01030008 6c0991ce2c6f1b8a"));

    assertThat(page).containsExactly(new Designator(1, 0, 3, "6c0991ce2c6f1b8a"));
    assertThat(Designator.naaOf(page)).contains("naa.6c0991ce2c6f1b8a");
  }

  @Test
  void aCopyListNamesEachUnitOnce() {
    ByteBuffer list =
        CopySegment.parameterList(
            List.of(
                new CopySegment("naa.6000000000000001", 1, "naa.6000000000000002", 2, 3),
                new CopySegment("naa.6000000000000001", 4, "naa.6000000000000002", 5, 6)));

    assertThat(HexFormat.of().formatHex(list.array()))
        .isEqualTo(
            "00180040000000000000003800000000"
                + "e400000001030008600000000000000100000000000000000000000000000200"
                + "e400000001030008600000000000000200000000000000000000000000000200"
                + "02000018000000010000000300000000000000010000000000000002"
                + "02000018000000010000000600000000000000040000000000000005");
  }

  private static String hex(Cdb cdb) {
    byte[] bytes = new byte[cdb.bytes().remaining()];
    cdb.bytes().get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }
}
