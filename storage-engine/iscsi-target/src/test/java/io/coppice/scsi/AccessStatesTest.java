package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// SET TARGET PORT GROUPS (SPC-5 §6.45) and what follows from it (SPC-5 §5.16).
class AccessStatesTest {

  private static final String TUR = "00 00 00 00 00 00";
  private static final String ENDPOINT = "0001000000000000";
  private static final String BOUND = "0001d20000010000";
  private static final String OTHER_FORM = "0001000100000000";
  private static final String SECOND_LUN = "0001000000000000";

  private final Fixture fixture = new Fixture();
  private Initiator first;
  private Initiator second;

  @BeforeEach
  void export() {
    fixture.exported(1 << 20);
    fixture.exported(1 << 20);
    first = fixture.plain();
    second = new Initiator(fixture.target.plain(), OTHER);
    second.settle(LUN_0);
    second.settle(SECOND_LUN);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void stateThatIsSetIsReportedAndTheOthersHearOfIt() {
    assertThat(set(first, LUN_0, "00000000" + "01000002").status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(report(first, LUN_0)).isEqualTo("01030002" + "00010001");
    assertThat(first.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(second.send(LUN_0, TUR).code()).isEqualTo("6/2a/06");
    assertThat(second.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(report(second, LUN_0)).isEqualTo("01030002" + "00010001");
  }

  @Test
  void otherUnitsKeepTheirs() {
    set(first, LUN_0, "00000000" + "01000002");

    assertThat(second.send(SECOND_LUN, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(report(second, SECOND_LUN)).isEqualTo("00030002" + "00000001");
  }

  @Test
  void stateThatIsSetAgainIsNoChange() {
    set(first, LUN_0, "00000000" + "00000002");

    assertThat(second.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(report(second, LUN_0)).isEqualTo("00030002" + "00010001");
  }

  @Test
  void endpointAndItsSubsidiaryUnitsAreOneGroup() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator esx = new Initiator(fixture.target.endpoints(), ESX);
    Initiator path = new Initiator(fixture.target.endpoints(), ESX, 0x23d000002L);
    for (String lun : new String[] {ENDPOINT, BOUND}) {
      esx.settle(lun);
      path.settle(lun);
    }

    assertThat(set(esx, BOUND, "00000000" + "01000001").status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(report(esx, ENDPOINT)).isEqualTo("01030001" + "00010001");
    assertThat(report(esx, OTHER_FORM)).isEqualTo("01030001" + "00010001");
    assertThat(path.send(ENDPOINT, TUR).code()).isEqualTo("6/2a/06");
    assertThat(path.send(BOUND, TUR).code()).isEqualTo("6/2a/06");
  }

  @Test
  void dataMovesInEitherState() {
    set(first, LUN_0, "00000000" + "01000002");

    assertThat(first.send(LUN_0, "2a 00 00000000 00 0001 00", new byte[512]).status())
        .isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void whatCannotBeSetChangesNothing() {
    assertThat(set(first, LUN_0, "00000000" + "02000002").code()).isEqualTo("5/26/00"); // standby
    assertThat(set(first, LUN_0, "00000000" + "01000001").code()).isEqualTo("5/26/00"); // group
    assertThat(set(first, LUN_0, "00000000" + "01000002" + "0f000002").code()).isEqualTo("5/26/00");
    assertThat(set(first, LUN_0, "00000000" + "0100").code()).isEqualTo("5/1a/00");
    assertThat(first.send(LUN_0, "a4 0a 00000000 00000008 00 00", new byte[4]).code())
        .isEqualTo("5/1a/00");

    assertThat(report(first, LUN_0)).isEqualTo("00030002" + "00000001");
    assertThat(second.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  private static Reply set(Initiator initiator, String lun, String list) {
    byte[] bytes = HexFormat.of().parseHex(list);
    return initiator.send(lun, "a4 0a 00000000 %08x 00 00".formatted(bytes.length), bytes);
  }

  /// The group's descriptor without its port.
  private static String report(Initiator initiator, String lun) {
    Reply reply = initiator.send(lun, "a3 0a 00000000 00000100 00 00");
    if (reply.code().startsWith("6/29")) {
      reply = initiator.send(lun, "a3 0a 00000000 00000100 00 00");
    }
    return reply.hex(4, 12);
  }
}
