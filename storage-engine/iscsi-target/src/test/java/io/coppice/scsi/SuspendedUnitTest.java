package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.LunDirectory.Suspension;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Volumes that initiators are held off from, because their content is replaced.
class SuspendedUnitTest {

  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String INQUIRY = "12 00 00 00 24 00";
  private static final String THIRD = "iqn.2026-11.example:third";
  private static final int ROUNDS = 500;

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void commandsToTheMediumAreBusyAndOthersAnswer() {
    VolumeId volume = fixture.exported(1 << 20);
    Suspension suspension = fixture.luns().suspend(volume);
    Initiator late = fixture.plain();

    assertThat(late.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.BUSY);
    assertThat(late.send(LUN_0, READ).status()).isEqualTo(ScsiStatus.BUSY);
    assertThat(late.send(LUN_0, INQUIRY).status()).isEqualTo(ScsiStatus.GOOD);
    suspension.close();
    suspension.close();
    assertThat(late.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void aSessionOfTheExportAtEitherTargetForbidsIt() {
    VolumeId volume = fixture.exported(1 << 20);
    for (Initiator open : new Initiator[] {fixture.plain(), fixture.endpoints()}) {
      assertThatThrownBy(() -> fixture.luns().suspend(volume))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("expected no session")
          .hasMessageContaining(ESX);
      open.beginDetach().join();
    }
    fixture.luns().suspend(volume).close();
  }

  @Test
  void aRefusalLeavesTheUnitServing() {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator open = fixture.plain();
    assertThatThrownBy(() -> fixture.luns().suspend(volume)).isInstanceOf(RefusedException.class);
    assertThat(open.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void sessionsOfOtherInitiatorsDoNotMatter() {
    VolumeId mine = fixture.volume(1 << 20);
    VolumeId other = fixture.volume(1 << 20);
    fixture.luns().export(Fixture.op(), mine, Optional.of(0), false, Set.of(ESX));
    fixture.luns().export(Fixture.op(), other, Optional.of(0), false, Set.of(THIRD));
    Initiator third = new Initiator(fixture.target.plain(), THIRD);
    third.settle(LUN_0);
    try (Suspension _ = fixture.luns().suspend(mine)) {
      assertThat(third.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
      fixture.luns().removeInitiator(Fixture.op(), other, THIRD);
      fixture.luns().unexport(Fixture.op(), other);
    }
  }

  @Test
  void anInitiatorOrExportThatComesMeanwhileIsHeldOff() {
    VolumeId volume = fixture.volume(1 << 20);
    try (Suspension _ = fixture.luns().suspend(volume)) {
      fixture.luns().export(Fixture.op(), volume, Optional.of(0), false, Set.of(ESX));
      assertThat(fixture.plain().send(LUN_0, READ).status()).isEqualTo(ScsiStatus.BUSY);
      fixture.luns().unexport(Fixture.op(), volume);
      fixture.luns().export(Fixture.op(), volume, Optional.of(0), false, Set.of(THIRD));
      Initiator third = new Initiator(fixture.target.plain(), THIRD);
      third.settle(LUN_0);
      assertThat(third.send(LUN_0, READ).status()).isEqualTo(ScsiStatus.BUSY);
    }
  }

  @Test
  void aBoundOrASuspendedVolumeIsRefused() {
    VolumeId bound = fixture.volume(1 << 20);
    fixture.bound(bound);
    assertThatThrownBy(() -> fixture.luns().suspend(bound)).hasMessageContaining("is bound");
    VolumeId volume = fixture.volume(1 << 20);
    try (Suspension _ = fixture.luns().suspend(volume)) {
      assertThatThrownBy(() -> fixture.luns().suspend(volume))
          .hasMessageContaining("is being changed already");
    }
    fixture.luns().suspend(volume).close();
  }

  /// A session opens and writes while another thread suspends: one of the two is refused.
  @Test
  void aWriteNeverComesOutInASuspension() throws Exception {
    VolumeId volume = fixture.exported(1 << 20);
    int held = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CyclicBarrier start = new CyclicBarrier(2);
      AtomicReference<ScsiStatus> status = new AtomicReference<>();
      AtomicReference<Initiator> opened = new AtomicReference<>();
      Thread session =
          Thread.ofPlatform()
              .start(
                  () -> {
                    meet(start);
                    Initiator initiator = fixture.plain();
                    opened.set(initiator);
                    status.set(initiator.send(LUN_0, WRITE, new byte[512]).status());
                  });
      meet(start);
      Suspension suspension = tried(volume);
      session.join(10_000);
      if (suspension == null) {
        assertThat(status.get()).isIn(ScsiStatus.GOOD, ScsiStatus.BUSY);
        refused++;
      } else {
        assertThat(status.get()).as("round %d", round).isEqualTo(ScsiStatus.BUSY);
        suspension.close();
        held++;
      }
      opened.get().beginDetach().join();
    }
    assertThat(held).as("suspensions that took hold").isPositive();
    assertThat(refused).as("suspensions that were refused").isPositive();
  }

  private @Nullable Suspension tried(VolumeId volume) {
    try {
      return fixture.luns().suspend(volume);
    } catch (RefusedException e) {
      return null;
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
