package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.setting.NumberRest;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.OpenSession;
import io.coppice.scsi.transport.ScsiStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Freed numbers of plain and bound units: a host that did not notice must not write to another
/// volume by the number of the old one.
class RestingNumberTest {

  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final Duration DAY = Duration.ofHours(24);

  private Instant steady = Instant.parse("2026-11-21T00:00:00Z");
  private Instant wall = steady;
  private final ScsiSettings settings =
      ScsiSettings.defaults().withClock(() -> wall).withRest(new NumberRest(DAY, () -> steady));
  private final Fixture fixture = new Fixture(new MemoryEngine(), settings);
  private final LunDirectory luns = fixture.luns();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void staleSessionNeverWritesToAnotherVolume() {
    VolumeId old = fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    luns.unexport(op(), old);

    Export next = export(fixture.volume(1 << 20), Optional.empty(), ESX);

    assertThat(next.lun()).isEqualTo(1);
    assertThat(stale.send(LUN_0, WRITE, new byte[512]).code()).isEqualTo("5/25/00");
    String lun = "%04x000000000000".formatted(next.lun());
    stale.settle(lun);
    assertThat(stale.send(LUN_0, WRITE, new byte[512]).code()).isEqualTo("5/25/00");
  }

  @Test
  void sessionThatHasOtherUnitsHearsThatTheInventoryChanged() {
    VolumeId old = fixture.exported(1 << 20);
    fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    String other = "0001000000000000";
    stale.settle(other);

    luns.unexport(op(), old);

    assertThat(stale.send(other, "00 00 00 00 00 00").code()).isEqualTo("6/3f/0e");
  }

  @Test
  void numberAskedForIsRefusedWithItsReason() {
    VolumeId old = fixture.exported(1 << 20);
    luns.unexport(op(), old);
    VolumeId next = fixture.volume(1 << 20);

    assertThatThrownBy(() -> export(next, Optional.of(0), ESX))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.RESTING))
        .hasMessageContainingAll(
            "LUN 0 rests for initiator " + ESX,
            old.toString(),
            luns.naaOf(old),
            "2026-11-22T00:00:00Z");
    assertThat(luns.exportOf(next)).isEmpty();
  }

  @Test
  void numberRestsForADayForItsInitiatorsOnly() {
    luns.unexport(op(), fixture.exported(1 << 20));

    steady = steady.plus(DAY).minusSeconds(1);
    assertRests(0, ESX);
    assertRests(0, OTHER);
    assertThat(export(fixture.volume(1 << 20), Optional.of(0), "iqn.2026-11.example:c").lun())
        .isZero();
    luns.unexport(op(), luns.exports().getFirst().volume());
    steady = steady.plusSeconds(1);
    assertThat(export(fixture.volume(1 << 20), Optional.of(0), ESX).lun()).isZero();
  }

  @Test
  void numberRestsAsLongAsASessionOfThenIsOpen() throws Exception {
    VolumeId old = fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    FormerExport former = luns.unexport(op(), old).orElseThrow();
    assertThat(former.sessions())
        .extracting(OpenSession::initiator)
        .containsExactly(stale.nexus().initiator());
    assertThat(former.restsUntil()).isEqualTo(wall.plus(DAY));

    steady = steady.plus(DAY.multipliedBy(400));
    assertRests(0, ESX);
    assertThat(export(fixture.volume(1 << 20), Optional.of(0), OTHER).lun()).isZero();
    luns.unexport(op(), luns.exports().getFirst().volume());
    stale.beginDetach().get(10, TimeUnit.SECONDS);

    assertThat(export(fixture.volume(1 << 20), Optional.of(0), ESX).lun()).isZero();
  }

  /// A host whose connection is cut logs in again with the same ISID, its disks still open.
  @Test
  void sessionThatComesBackHoldsTheNumberAgain() throws Exception {
    VolumeId old = fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    luns.unexport(op(), old);
    stale.beginDetach().get(10, TimeUnit.SECONDS);
    new Initiator(fixture.target.plain(), ESX);

    steady = steady.plus(DAY.multipliedBy(2));

    assertRests(0, ESX);
  }

  @Test
  void sessionOpenedLaterWithAnotherIsidHoldsNothing() {
    luns.unexport(op(), fixture.exported(1 << 20));
    new Initiator(fixture.target.plain(), ESX);

    steady = steady.plus(DAY);

    assertThat(export(fixture.volume(1 << 20), Optional.of(0), ESX).lun()).isZero();
  }

  @Test
  void forceTakesANumberOnlyWhenItsSessionsHaveEnded() throws Exception {
    VolumeId old = fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    luns.unexport(op(), old);
    VolumeId next = fixture.volume(1 << 20);
    ExportRequest forced = new ExportRequest(next, Optional.of(0), false, Set.of(ESX), true);

    assertThatThrownBy(() -> luns.export(op(), forced))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("until its open sessions have ended: session 00023d000000 of " + ESX);
    stale.beginDetach().get(10, TimeUnit.SECONDS);
    assertRests(0, ESX);

    assertThat(luns.export(op(), forced).lun()).isZero();
    luns.unexport(op(), next);
    assertThat(fixture.engine.records().withPrefix("scsi/freed-lun/").keySet())
        .containsExactlyInAnyOrder(
            "scsi/freed-lun/00000/" + old + "/" + OTHER,
            "scsi/freed-lun/00000/" + next + "/" + ESX);
  }

  @Test
  void countingGoesOnFromTheLastNumber() {
    VolumeId zero = fixture.exported(1 << 20);
    VolumeId one = fixture.exported(1 << 20);
    luns.unexport(op(), zero);
    luns.unexport(op(), one);
    steady = steady.plus(DAY.multipliedBy(2));

    assertThat(export(fixture.volume(1 << 20), Optional.empty(), ESX).lun()).isEqualTo(2);
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      VolumeId volume = fixture.volume(1 << 20);
      assertThat(again.luns().export(op(), volume, Optional.empty(), false, Set.of(ESX)).lun())
          .isEqualTo(3);
    }
  }

  @Test
  void countingBeginsAgainBelowTheNumbersThatFewInitiatorsAddress() {
    VolumeId volume = fixture.volume(1 << 20);
    for (int i = 0; i < 256; i++) {
      assertThat(export(volume, Optional.empty(), OTHER).lun()).isEqualTo(i);
      luns.unexport(op(), volume);
    }

    assertThat(export(volume, Optional.empty(), ESX).lun()).isZero();
    luns.unexport(op(), volume);
    VolumeId other = fixture.volume(1 << 20);
    assertThat(export(other, Optional.empty(), OTHER).lun()).isEqualTo(256);
  }

  @Test
  void sameVolumeMayHaveItsNumberAgain() {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator stale = fixture.plain();
    luns.unexport(op(), volume);

    assertThat(export(volume, Optional.of(0), ESX).lun()).isZero();

    assertThat(stale.send(LUN_0, WRITE, new byte[512]).code()).isEqualTo("6/29/00");
    assertThat(stale.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
    luns.unexport(op(), volume);
    assertRests(0, OTHER);
    assertRests(0, ESX);
  }

  @Test
  void snapshotTakesNoNumberOfAnotherSnapshot() {
    VolumeId volume = fixture.volume(1 << 20);
    VolumeId first = snapshotOf(volume);
    VolumeId second = snapshotOf(volume);
    luns.export(op(), first, Optional.of(5), true, Set.of(ESX));
    luns.unexport(op(), first);

    assertThatThrownBy(() -> luns.export(op(), second, Optional.of(5), true, Set.of(ESX)))
        .isInstanceOf(RefusedException.class);
    assertThat(luns.export(op(), first, Optional.of(5), true, Set.of(ESX)).lun()).isEqualTo(5);
  }

  private VolumeId snapshotOf(VolumeId volume) {
    VolumeId snapshot = VolumeId.random();
    fixture.engine.snapshot(
        op(), List.of(new SnapshotSpec(volume, snapshot, Map.of())), Duration.ofSeconds(1));
    return snapshot;
  }

  @Test
  void initiatorThatAnExportLeavesOutKeepsItsRest() {
    VolumeId volume = fixture.exported(1 << 20);
    luns.unexport(op(), volume);
    export(volume, Optional.of(0), ESX);
    luns.unexport(op(), volume);

    assertRests(0, OTHER);
  }

  @Test
  void restOutlivesARestartAndTheDeletionOfTheVolume() {
    VolumeId old = fixture.exported(1 << 20);
    luns.unexport(op(), old);
    fixture.engine.delete(op(), old);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      VolumeId next = fixture.volume(1 << 20);
      assertThatThrownBy(() -> again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)))
          .hasMessageContaining("LUN 0 rests");
    }
  }

  @Test
  void sessionThatComesBackAfterARestartHoldsTheNumberAgain() {
    VolumeId old = fixture.exported(1 << 20);
    fixture.plain();
    luns.unexport(op(), old);
    steady = steady.plus(DAY.multipliedBy(2));

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      new Initiator(again.plain(), ESX);
      steady = steady.plus(DAY.multipliedBy(2));
      VolumeId next = fixture.volume(1 << 20);
      assertThatThrownBy(() -> again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)))
          .hasMessageContaining("until its open sessions have ended");
    }
  }

  /// Neither a jump while the target runs nor a fast clock at a start shortens the rest.
  @Test
  void clockThatJumpsShortensNoRest() {
    luns.unexport(op(), fixture.exported(1 << 20));
    VolumeId bound = fixture.volume(1 << 20);
    int number = luns.bind(op(), HOST, bound, Set.of()).subsidiary();
    luns.unbind(op(), HOST, bound);

    wall = wall.plus(DAY.multipliedBy(1000));
    assertRests(0, ESX);
    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of()).subsidiary())
        .isNotEqualTo(number);

    Instant fast = steady.plus(DAY.multipliedBy(1000));
    ScsiSettings jumped = settings.withClock(() -> fast);
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, jumped)) {
      VolumeId next = fixture.volume(1 << 20);
      assertThatThrownBy(() -> again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)))
          .hasMessageContaining("LUN 0 rests");
      assertThat(again.luns().bind(op(), HOST, next, Set.of()).subsidiary()).isNotEqualTo(number);
    }
  }

  @Test
  void timeThatWasServedBeforeARestartCounts() {
    luns.unexport(op(), fixture.exported(1 << 20));
    steady = steady.plus(DAY.dividedBy(2));
    fixture.target.close();

    steady = steady.plus(DAY.multipliedBy(100)); // nothing was served
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      steady = steady.plus(DAY.dividedBy(2)).minusSeconds(1);
      VolumeId next = fixture.volume(1 << 20);
      assertThatThrownBy(() -> again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)))
          .hasMessageContaining("LUN 0 rests");
      steady = steady.plusSeconds(1);
      assertThat(again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)).lun())
          .isZero();
      assertThat(fixture.engine.records().find("scsi/freed-lun/00000/" + next + "/" + ESX))
          .isEmpty();
    }
  }

  @Test
  void boundNumberIsHeldByASessionOfAHostThatDidNotUnbindItself() throws Exception {
    VolumeId old = fixture.volume(1 << 20);
    int number = luns.bind(op(), HOST, old, Set.of()).subsidiary();
    Initiator stale = fixture.endpoints();
    luns.unbindFromAllHosts(op(), old);
    steady = steady.plus(DAY.multipliedBy(2));

    VolumeId next = fixture.volume(1 << 20);
    assertThat(luns.bind(op(), OTHER_HOST, next, Set.of()).subsidiary()).isNotEqualTo(number);
    luns.unbind(op(), OTHER_HOST, next);
    stale.beginDetach().get(10, TimeUnit.SECONDS);

    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of()).subsidiary())
        .isEqualTo(number);
  }

  @Test
  void boundNumberIsHeldByASessionOfANameThatItsHostLost() {
    VolumeId old = fixture.volume(1 << 20);
    int number = luns.bind(op(), HOST, old, Set.of()).subsidiary();
    fixture.endpoints();
    luns.declareHost(op(), HOST, Set.of("iqn.1998-01.com.vmware:new"));
    luns.unbind(op(), HOST, old);
    luns.declareHost(op(), OTHER_HOST, Set.of(OTHER, ESX));

    steady = steady.plus(DAY.multipliedBy(2));

    assertThat(luns.bind(op(), OTHER_HOST, fixture.volume(1 << 20), Set.of()).subsidiary())
        .isNotEqualTo(number);
  }

  @Test
  void restIsASetting() {
    assertThatThrownBy(() -> NumberRest.defaults().withAtLeast(Duration.ofMinutes(59)))
        .hasMessageContaining("expected a rest of freed numbers from PT1H to PT720H");
    ScsiSettings hour = settings.withRest(new NumberRest(Duration.ofHours(1), () -> steady));
    luns.unexport(op(), fixture.exported(1 << 20));
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, hour)) {
      steady = steady.plus(Duration.ofHours(1));
      VolumeId next = fixture.volume(1 << 20);
      assertThat(again.luns().export(op(), next, Optional.of(0), false, Set.of(ESX)).lun())
          .isZero();
    }
  }

  @Test
  void restsStandInTheDocumentedForm() {
    VolumeId old = fixture.exported(1 << 20);
    fixture.plain();
    luns.unexport(op(), old);

    String second = Long.toString(steady.getEpochSecond());
    assertThat(fixture.engine.records().withPrefix("scsi/freed-lun/"))
        .isEqualTo(
            Map.of(
                "scsi/freed-lun/00000/" + old + "/" + ESX,
                second + " 00023d000000",
                "scsi/freed-lun/00000/" + old + "/" + OTHER,
                second));
    assertThat(fixture.engine.records().find("scsi/last-lun/" + ESX)).contains("0");
    assertThat(fixture.engine.records().find("scsi/pool-time")).contains(second);
  }

  private void assertRests(int lun, String initiator) {
    VolumeId next = fixture.volume(1 << 20);
    assertThatThrownBy(() -> export(next, Optional.of(lun), initiator))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("LUN %d rests".formatted(lun));
  }

  @Test
  void removedInitiatorLosesTheUnitAndOthersKeepIt() {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator gone = fixture.plain();
    Initiator stays = new Initiator(fixture.target.plain(), OTHER);
    stays.settle(LUN_0);

    Export left = luns.removeInitiator(op(), volume, ESX);

    assertThat(left.initiators()).containsExactly(OTHER);
    assertThat(luns.removeInitiator(op(), volume, ESX)).isEqualTo(left);
    assertThat(gone.send(LUN_0, WRITE, new byte[512]).code()).isEqualTo("5/25/00");
    assertThat(stays.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
    Export again = luns.addInitiator(op(), volume, ESX.toUpperCase(Locale.ROOT));
    assertThat(again.initiators()).containsExactly(ESX, OTHER);
    assertThat(luns.addInitiator(op(), volume, ESX)).isEqualTo(again);
    gone.settle(LUN_0);
    assertThat(gone.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void exportWithoutInitiatorsKeepsItsNumberOverARestart() {
    VolumeId volume = fixture.exported(1 << 20);
    luns.removeInitiator(op(), volume, ESX);
    luns.removeInitiator(op(), volume, OTHER);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      assertThat(again.luns().exportOf(volume))
          .contains(new Export(volume, 0, false, new TreeSet<>()));
      VolumeId next = fixture.volume(1 << 20);
      assertThat(again.luns().export(op(), next, Optional.empty(), false, Set.of(ESX)).lun())
          .isEqualTo(1);
      assertThat(again.luns().addInitiator(op(), volume, ESX).lun()).isZero();
    }
  }

  @Test
  void numberRestsForARemovedInitiatorAfterTheExportHasEnded() {
    VolumeId volume = fixture.exported(1 << 20);
    luns.removeInitiator(op(), volume, ESX);
    steady = steady.plus(DAY.minusHours(1));
    luns.unexport(op(), volume);

    assertRests(0, ESX);
    steady = steady.plusSeconds(3601);
    assertRests(0, OTHER);
    assertThat(export(fixture.volume(1 << 20), Optional.of(0), ESX).lun()).isZero();
  }

  @Test
  void initiatorForWhichTheNumberRestsIsNotAdded() {
    luns.unexport(op(), fixture.exported(1 << 20));
    VolumeId next =
        export(fixture.volume(1 << 20), Optional.of(0), "iqn.2026-11.example:c").volume();

    assertThatThrownBy(() -> luns.addInitiator(op(), next, ESX))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.RESTING));
    assertThat(luns.exportOf(next).orElseThrow().initiators())
        .containsExactly("iqn.2026-11.example:c");
    steady = steady.plus(DAY);
    assertThat(luns.addInitiator(op(), next, ESX).initiators()).contains(ESX);
  }

  @Test
  void initiatorsOfAVolumeThatIsNotExportedAreRefused() {
    VolumeId volume = fixture.volume(1 << 20);

    for (Runnable change :
        List.<Runnable>of(
            () -> luns.addInitiator(op(), volume, ESX),
            () -> luns.removeInitiator(op(), volume, ESX))) {
      assertThatThrownBy(change::run)
          .isInstanceOfSatisfying(
              RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN));
    }
    VolumeId exported = fixture.exported(1 << 20);
    assertThatThrownBy(() -> luns.addInitiator(op(), exported, "a name"))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
  }

  private Export export(VolumeId volume, Optional<Integer> lun, String initiator) {
    return luns.export(op(), volume, lun, false, Set.of(initiator));
  }
}
