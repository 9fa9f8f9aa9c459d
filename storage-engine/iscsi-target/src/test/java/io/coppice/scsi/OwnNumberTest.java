package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.setting.NumberRest;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Numbers of plain units, of which each initiator has its own: one number may name one volume for
/// one initiator and another volume for another.
class OwnNumberTest {

  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final String REPORT_LUNS = "a0 00 00 000000 00000100 00 00";
  private static final String THIRD = "iqn.2026-11.example:c";
  private static final Duration DAY = Duration.ofHours(24);

  private Instant steady = Instant.parse("2026-11-21T00:00:00Z");
  private final ScsiSettings settings =
      ScsiSettings.defaults().withRest(new NumberRest(DAY, () -> steady));
  private final Fixture fixture = new Fixture(new MemoryEngine(), settings);
  private final LunDirectory luns = fixture.luns();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void oneNumberReachesAnotherVolumeForEachInitiator() {
    VolumeId mine = export(0, ESX);
    VolumeId yours = export(0, OTHER);
    Initiator me = fixture.plain();
    Initiator you = new Initiator(fixture.target.plain(), OTHER);
    you.settle(LUN_0);

    assertThat(me.send(LUN_0, WRITE, block(1)).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(you.send(LUN_0, WRITE, block(2)).status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(me.send(LUN_0, READ).data()).isEqualTo(block(1));
    assertThat(you.send(LUN_0, READ).data()).isEqualTo(block(2));
    assertThat(me.send(LUN_0, REPORT_LUNS).hex()).isEqualTo("00000008000000000000000000000000");
    assertThat(you.send(LUN_0, REPORT_LUNS).hex()).isEqualTo("00000008000000000000000000000000");
    assertThat(luns.exports()).extracting(Export::volume).containsExactlyInAnyOrder(mine, yours);
    luns.unexport(op(), mine);
    assertThat(me.send(LUN_0, READ).code()).isEqualTo("5/25/00");
    assertThat(you.send(LUN_0, READ).data()).isEqualTo(block(2));
  }

  @Test
  void numberIsTakenForEachOfTheInitiatorsThatReachItsVolume() {
    VolumeId mine = export(3, ESX);
    VolumeId yours = export(3, OTHER);
    VolumeId next = fixture.volume(1 << 20);

    assertThatThrownBy(() -> export(next, Optional.of(3), THIRD, ESX))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE))
        .hasMessage("LUN 3 is taken by volume %s for initiator %s", mine, ESX);
    assertThatThrownBy(() -> luns.addInitiator(op(), yours, ESX))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE))
        .hasMessage("LUN 3 is taken by volume %s for initiator %s", mine, ESX);
    assertThat(luns.exportOf(next)).isEmpty();
    assertThat(luns.exportOf(yours).orElseThrow().initiators()).containsExactly(OTHER);
    assertThat(export(next, Optional.of(3), THIRD).lun()).isEqualTo(3);
  }

  @Test
  void numberGivenOutIsTheNextOneOfTheseInitiators() {
    assertThat(next(ESX)).isZero();
    assertThat(next(ESX)).isEqualTo(1);
    assertThat(next(OTHER)).isZero();
    assertThat(next(OTHER, ESX)).isEqualTo(2);
    assertThat(next(OTHER)).isEqualTo(3);
    assertThat(next(THIRD)).isZero();
    export(7, THIRD);
    assertThat(next(THIRD)).isEqualTo(1);
    assertThat(next(THIRD)).isEqualTo(2);
  }

  @Test
  void numbersAreTheSameAfterARestart() {
    VolumeId mine = export(0, ESX);
    VolumeId yours = export(0, OTHER);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      assertThat(again.luns().exportOf(mine).orElseThrow().initiators()).containsExactly(ESX);
      assertThat(again.luns().exportOf(yours).orElseThrow().initiators()).containsExactly(OTHER);
      Initiator you = new Initiator(again.plain(), OTHER);
      you.settle(LUN_0);
      assertThat(you.send(LUN_0, WRITE, block(5)).status()).isEqualTo(ScsiStatus.GOOD);
      assertThat(again.luns().export(op(), volume(), Optional.empty(), false, Set.of(ESX)).lun())
          .isEqualTo(1);
    }
  }

  /// Version 0.1.0 kept one last number for all.
  @Test
  void initiatorFromBeforeGoesOnFromTheLastNumberOfAll() {
    VolumeId old = export(5, ESX);
    fixture.engine.records().apply(op(), List.of(new RecordChange.Put("scsi/last-lun", "9")));

    assertThat(next(ESX)).isEqualTo(10);
    assertThat(next(ESX)).isEqualTo(11);
    assertThat(next(THIRD)).isZero();
    assertThat(luns.exportOf(old).orElseThrow().lun()).isEqualTo(5);
  }

  @Test
  void lastNumberIsKeptAsLongAsAnyNumberOfTheInitiatorRests() {
    next(ESX);
    VolumeId last = luns.exportOf(nextVolume(ESX)).orElseThrow().volume();
    luns.unexport(op(), last);
    steady = steady.plus(DAY);
    assertThat(next(ESX)).isEqualTo(2);

    luns.exports().forEach(it -> luns.unexport(op(), it.volume()));
    steady = steady.plus(DAY.minusSeconds(1));
    next(OTHER);
    assertThat(fixture.engine.records().find("scsi/last-lun/" + ESX)).contains("2");
    steady = steady.plusSeconds(1);
    next(OTHER);
    assertThat(fixture.engine.records().find("scsi/last-lun/" + ESX)).isEmpty();
    assertThat(next(ESX)).isZero();
  }

  private VolumeId volume() {
    return fixture.volume(1 << 20);
  }

  private VolumeId export(int lun, String... initiators) {
    return export(volume(), Optional.of(lun), initiators).volume();
  }

  private int next(String... initiators) {
    return export(volume(), Optional.empty(), initiators).lun();
  }

  private VolumeId nextVolume(String... initiators) {
    return export(volume(), Optional.empty(), initiators).volume();
  }

  private Export export(VolumeId volume, Optional<Integer> lun, String... initiators) {
    return luns.export(op(), volume, lun, false, Set.of(initiators));
  }

  private static byte[] block(int value) {
    byte[] block = new byte[512];
    Arrays.fill(block, (byte) value);
    return block;
  }
}
