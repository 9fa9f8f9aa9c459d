package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.unit.ReachLog;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The initiators that have reached a unit: from the first command on, until they may not any more.
class ReachLogTest {

  private static final Instant BEGIN = Instant.parse("2026-11-01T12:00:00Z");

  private Instant now = BEGIN;
  private final Fixture fixture =
      new Fixture(new MemoryEngine(), ScsiSettings.defaults().withClock(() -> now));
  private final VolumeId volume = fixture.exported(1 << 20);

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> reached() {
    return fixture.target.reaches().of(volume).stream().map(ReachLog.Visitor::initiator).toList();
  }

  private Initiator initiator(String name) {
    return new Initiator(fixture.target.plain(), name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12 00 00 0024 00", // INQUIRY
        "25 00 00000000 0000 00 00", // READ CAPACITY (10)
        "a0 00 00 000000 00000100 00 00", // REPORT LUNS
        "28 00 00000000 00 0001 00" // READ (10)
      })
  void aCommandAtTheUnitIsEnoughAndASessionIsNot(String cdb) {
    Initiator one = initiator(ESX);
    assertThat(reached()).isEmpty();

    one.send(LUN_0, cdb);

    assertThat(fixture.target.reaches().of(volume))
        .containsExactly(new ReachLog.Visitor(ESX, BEGIN, BEGIN));
  }

  @Test
  void anInitiatorIsRememberedAfterItsSessionAndApartFromOthers() {
    Initiator one = initiator(ESX);
    one.settle(LUN_0);
    one.beginDetach().join();
    now = BEGIN.plusSeconds(60);
    initiator(OTHER).settle(LUN_0);

    assertThat(reached()).containsExactly(ESX, OTHER);
    assertThat(fixture.target.reaches().of(volume).get(1).since()).isEqualTo(now);
  }

  @Test
  void whoLosesTheUnitIsForgottenAndBeginsAnew() {
    initiator(ESX).settle(LUN_0);
    initiator(OTHER).settle(LUN_0);

    fixture.luns().removeInitiator(op(), volume, ESX);
    assertThat(reached()).containsExactly(OTHER);

    fixture.luns().addInitiator(op(), volume, ESX);
    assertThat(reached()).containsExactly(OTHER);
    now = BEGIN.plusSeconds(60);
    initiator(ESX).settle(LUN_0);
    assertThat(fixture.target.reaches().of(volume).getFirst())
        .isEqualTo(new ReachLog.Visitor(ESX, now, now));

    fixture.luns().unexport(op(), volume);
    assertThat(reached()).isEmpty();
  }

  @Test
  void eachVolumeHasALogOfItsOwn() {
    VolumeId other = fixture.volume(1 << 20);
    Set<String> names = new TreeSet<>(Set.of(ESX));
    fixture.luns().export(op(), other, Optional.of(7), false, names);

    initiator(ESX).settle(LUN_0);

    assertThat(reached()).containsExactly(ESX);
    assertThat(fixture.target.reaches().of(other)).isEmpty();
    assertThat(fixture.target.reaches().of(VolumeId.random())).isEmpty();
  }
}
