package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.sense.AdditionalSense.INVALID_FIELD_IN_CDB;
import static io.coppice.scsi.sense.AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE;
import static io.coppice.scsi.sense.AdditionalSense.PARAMETER_LIST_LENGTH_ERROR;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseCode;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.OffloadLedger.Entry;
import io.coppice.scsi.unit.OffloadLedger.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OffloadLedgerTest {

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
  void whatHostsDoNotMoveThemselvesIsCountedByInitiator() {
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);

    initiator.send(LUN_0, "41 00 00000000 00 0010 00", new byte[512]);
    initiator.send(LUN_0, "93 01 0000000000000000 00000010 00 00");
    initiator.send(LUN_0, "89 00 0000000000000000 000000 01 00 00", new byte[1024]);
    byte[] different = new byte[1024];
    Arrays.fill(different, (byte) 1);
    initiator.send(LUN_0, "89 00 0000000000000000 000000 01 00 00", different);
    other.send(LUN_0, "42 00 00000000 00 0028 00", unmap());

    assertThat(fixture.target.offloads().get(volume).entries())
        .isEqualTo(
            Map.of(
                ESX,
                Map.of(
                    Kind.WRITE_SAME, new Entry(2, 15 * 512 + 16 * 512),
                    Kind.ATS, new Entry(1, 0),
                    Kind.ATS_MISCOMPARE, new Entry(1, 0)),
                OTHER,
                Map.of(Kind.UNMAP, new Entry(1, 24 * 512))));
  }

  @Test
  void commandsThatMoveDataCountNothing() {
    initiator.send(LUN_0, "41 00 000007ff 00 0010 00", new byte[512]);
    initiator.send(LUN_0, "28 00 000007ff 00 0010 00");
    initiator.send(LUN_0, "2a 00 00000000 00 0001 00", new byte[512]);
    initiator.send(LUN_0, "28 00 00000000 00 0001 00");

    assertThat(fixture.target.offloads().get(volume).of(ESX))
        .as("a WRITE SAME that was refused is a fall-back")
        .hasValue(Map.of(Kind.WRITE_SAME, refused(0, LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, 1)));
  }

  /// Whatever stage refuses them.
  @Test
  void commandsThatDoNotWhatTheyWereSentForAreFallBacks() {
    initiator.send(LUN_0, "93 10 0000000000000000 00000010 00 00"); // ANCHOR without UNMAP
    initiator.send(LUN_0, "42 00 00000000 00 0028 00", new byte[3]);
    initiator.send(LUN_0, "83 00 0000000000000000 00000008 00 00", new byte[8]); // cut short
    initiator.send(LUN_0, "83 01 0000000000000000 00000010 00 00", new byte[16]);
    initiator.send(LUN_0, "89 00 0000000000000800 000000 01 00 00", new byte[1024]);
    initiator.send(LUN_0, "89 00 0000000000000000 000000 01 00 00", new byte[1024]);

    assertThat(fixture.target.offloads().get(volume).of(ESX))
        .hasValue(
            Map.of(
                Kind.WRITE_SAME, refused(0, INVALID_FIELD_IN_CDB, 1),
                Kind.UNMAP, refused(0, PARAMETER_LIST_LENGTH_ERROR, 1),
                Kind.XCOPY, refused(0, PARAMETER_LIST_LENGTH_ERROR, 2),
                Kind.ATS, refused(1, LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, 1)));
  }

  @Test
  void unitAttentionsAndMiscomparesAreNoFallBacks() {
    Initiator other = new Initiator(fixture.target.plain(), OTHER);

    other.send(LUN_0, "41 00 00000000 00 0010 00", new byte[512]); // 29h/00h
    byte[] different = new byte[1024];
    Arrays.fill(different, (byte) 1);
    other.send(LUN_0, "89 00 0000000000000000 000000 01 00 00", different);

    assertThat(fixture.target.offloads().get(volume).of(OTHER))
        .hasValue(Map.of(Kind.ATS_MISCOMPARE, new Entry(1, 0)));
  }

  @Test
  void copyCountsTwiceItsBytesWhereItWasSent() {
    String naa = initiator.send(LUN_0, "12 01 83 0100 00").hex(8, 24);
    String device = "e4000000" + "01030010" + naa + "00".repeat(4) + "00000200";
    String segment =
        "02000018"
            + "0000"
            + "0000"
            + "0000"
            + "0008"
            + "%016x".formatted(0)
            + "%016x".formatted(64);
    String list = "07" + "00" + "0020" + "00000000" + "0000001c" + "00000000" + device + segment;
    byte[] parameters = java.util.HexFormat.of().parseHex(list);

    Initiator.Reply reply =
        initiator.send(
            LUN_0, "83 00 0000000000000000 %08x 00 00".formatted(parameters.length), parameters);

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(fixture.target.offloads().get(volume).of(ESX))
        .hasValue(Map.of(Kind.XCOPY, new Entry(1, 2 * 8 * 512)));
  }

  @Test
  void volumeThatNobodyReachesIsNotListed() {
    fixture.luns().unexport(Fixture.op(), volume);

    assertThat(fixture.target.offloads()).isEmpty();
  }

  @Test
  void sumsOutliveTheUnitsAndGoOnWithNewOnes() {
    initiator.send(LUN_0, "93 01 0000000000000000 00000010 00 00");
    fixture.luns().unexport(Fixture.op(), volume);
    assertThat(fixture.target.offloadCounts().inAll())
        .isEqualTo(Map.of(Kind.WRITE_SAME, new Entry(1, 16 * 512)));

    fixture.luns().export(Fixture.op(), volume, Optional.of(0), false, Set.of(ESX, OTHER));
    Initiator again = fixture.plain();
    again.send(LUN_0, "93 01 0000000000000000 00000010 00 00");
    again.send(LUN_0, "42 00 00000000 00 0028 00", new byte[3]);

    assertThat(fixture.target.offloadCounts().inAll())
        .isEqualTo(
            Map.of(
                Kind.WRITE_SAME,
                new Entry(2, 2 * 16 * 512),
                Kind.UNMAP,
                refused(0, PARAMETER_LIST_LENGTH_ERROR, 1)));
  }

  @Test
  void eachFallBackIsCountedByWhatItsHostWasTold() {
    Map<String, Long> told = new HashMap<>();
    for (String cdb :
        List.of(
            "93 10 0000000000000000 00000010 00 00",
            "93 00 00000000000007ff 00000010 00 00",
            "93 00 00000000000007ff 00000010 00 00")) {
      told.merge(initiator.send(LUN_0, cdb, new byte[512]).code(), 1L, Long::sum);
    }

    Entry counted =
        fixture.target.offloads().get(volume).of(ESX).orElseThrow().get(Kind.WRITE_SAME);

    assertThat(told).hasSize(2);
    assertThat(counted.reasons().keySet().stream().map(SenseCode::toString))
        .containsExactlyInAnyOrder("5h/24h/00h", "5h/21h/00h");
    assertThat(counted.reasons().values()).containsExactlyInAnyOrderElementsOf(told.values());
    assertThat(counted.otherFallBacks()).isZero();
  }

  /// An initiator that sends anything costs no more memory than any other.
  @Test
  void sensesBeyondTheMostAreCountedTogether() {
    OffloadLedger ledger = new OffloadLedger();
    for (AdditionalSense additional : AdditionalSense.values()) {
      for (int i = 0; i < 2; i++) {
        ledger.addFallBack(ESX, Kind.XCOPY, new SenseCode(SenseKey.COPY_ABORTED, additional));
      }
    }

    Entry counted = ledger.of(ESX).orElseThrow().get(Kind.XCOPY);

    assertThat(counted.reasons()).hasSize(OffloadLedger.MOST_SENSES);
    assertThat(counted.reasons().values()).containsOnly(2L);
    assertThat(counted.fallBacks()).isEqualTo(2L * AdditionalSense.values().length);
    assertThat(counted.otherFallBacks())
        .isEqualTo(2L * (AdditionalSense.values().length - OffloadLedger.MOST_SENSES));
  }

  @Test
  void sumsAddReasonsUp() {
    Entry one = refused(1, PARAMETER_LIST_LENGTH_ERROR, 2);
    Entry sum = one.plus(refused(0, INVALID_FIELD_IN_CDB, 1)).plus(one).plus(new Entry(3, 512));

    assertThat(sum)
        .isEqualTo(
            new Entry(
                5,
                512,
                5,
                Map.of(
                    SenseData.LIST_LENGTH_ERROR.code(), 4L, SenseData.invalidCdb(1).code(), 1L)));
  }

  /// ILLEGAL REQUEST, some times.
  private static Entry refused(long commands, AdditionalSense additional, long times) {
    return new Entry(
        commands, 0, times, Map.of(SenseData.illegalRequest(additional).code(), times));
  }

  /// Two runs, of 8 and 16 blocks.
  private static byte[] unmap() {
    return java.util.HexFormat.of()
        .parseHex(
            "0026002000000000"
                + "00000000000000080000000800000000"
                + "00000000000000200000001000000000");
  }
}
