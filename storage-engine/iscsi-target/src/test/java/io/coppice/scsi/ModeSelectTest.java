package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskManagement;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// MODE SELECT changes the Control page of the unit for everybody, until a reset.
class ModeSelectTest {

  private static final String TUR = "00 00 00 00 00 00";
  private static final String SENSE = "1a 08 0a 00 ff 00";
  private static final String OUT_OF_RANGE = "28 00 ffffff00 00 0001 00";

  private final Fixture fixture = new Fixture();
  private Initiator one;
  private Initiator two;

  @BeforeEach
  void attach() {
    fixture.exported(1 << 20);
    one = fixture.plain();
    two = new Initiator(fixture.target.plain(), OTHER);
    two.settle(LUN_0);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void writeProtectionHoldsForEverybodyAndIsAnnounced() {
    assertThat(control("00100800").status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(two.send(LUN_0, TUR).code()).isEqualTo("6/2a/01");
    assertThat(two.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(one.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(one.send(LUN_0, SENSE).hex(2, 10)).isEqualTo("9000" + "0a0a" + "00100800");
    assertThat(two.send(LUN_0, "2a 00 00000000 00 0001 00", new byte[512]).code())
        .isEqualTo("7/27/02");
    assertThat(two.send(LUN_0, "8b 00 0000000000000000 00000001 00 00", new byte[512]).code())
        .isEqualTo("7/27/02");
    assertThat(two.send(LUN_0, "28 00 00000000 00 0001 00").status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(control("00100000").status()).isEqualTo(ScsiStatus.GOOD);
    two.settle(LUN_0);
    assertThat(two.send(LUN_0, "2a 00 00000000 00 0001 00", new byte[512]).status())
        .isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void senseDataGoesInTheFormatThatWasChosen() {
    assertThat(one.send(LUN_0, OUT_OF_RANGE).sense()).startsWith("70");

    control("04100000");

    assertThat(one.send(LUN_0, OUT_OF_RANGE).sense()).startsWith("72052100");
    control("00100000");
    assertThat(one.send(LUN_0, OUT_OF_RANGE).sense()).startsWith("70");
  }

  @Test
  void whatDoesNotChangeIsNotAnnounced() {
    control("00100000");

    assertThat(two.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void resetTakesEverythingBack() {
    control("04100800");

    one.manage(new TaskManagement.LogicalUnitReset(LogicalUnitNumber.ZERO));
    one.settle(LUN_0);

    assertThat(one.send(LUN_0, SENSE).hex(2, 10)).isEqualTo("1000" + "0a0a" + "00100000");
  }

  @Test
  void tenByteFormHasItsLongerHeader() {
    byte[] list =
        HexFormat.of().parseHex("0000000000000000" + "0a0a" + "00100800" + "000000000000");

    assertThat(one.send(LUN_0, "55 10 00 00 00 00 00 0014 00", list).status())
        .isEqualTo(ScsiStatus.GOOD);

    assertThat(one.send(LUN_0, SENSE).hex(6, 10)).isEqualTo("00100800");
  }

  @Test
  void savingAndOtherPagesAreRefused() {
    assertThat(one.send(LUN_0, "15 11 00 00 10 00", new byte[16]).code()).isEqualTo("5/24/00");
    assertThat(
            one.send(
                    LUN_0,
                    "15 10 00 00 18 00",
                    HexFormat.of().parseHex("00000000" + "0812" + "04" + "00".repeat(17)))
                .code())
        .as("WCE")
        .isEqualTo("5/26/00");
    assertThat(one.send(LUN_0, SENSE).hex(6, 10)).isEqualTo("00100000");
  }

  /// Sends the Control page with these four bytes after its header.
  private Initiator.Reply control(String bytes) {
    return one.send(
        LUN_0,
        "15 10 00 00 10 00",
        HexFormat.of().parseHex("00000000" + "0a0a" + bytes + "000000000000"));
  }
}
