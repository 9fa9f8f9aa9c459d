package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.PersistentReserve.APTPL;
import static io.coppice.scsi.PersistentReserve.EXCLUSIVE_ACCESS;
import static io.coppice.scsi.PersistentReserve.REGISTER;
import static io.coppice.scsi.PersistentReserve.RESERVE;
import static io.coppice.scsi.PersistentReserve.assertConflict;
import static io.coppice.scsi.PersistentReserve.assertGood;
import static io.coppice.scsi.PersistentReserve.out;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.setting.ScsiSettings;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What happens while an unbind, an unexport or a change of a host waits for a slow command: the
/// end of the wait must not touch what came after it had begun.
class LateDepartureTest {

  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final String READ_KEYS = "5e 00 00 00 00 00 00 0100 00";
  private static final String SPC2_RESERVE = "16 00 00 00 00 00";
  private static final String SECOND_NAME = "iqn.1998-01.com.vmware:esx1b";

  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), ScsiSettings.defaults());
  private final LunDirectory luns = fixture.luns();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void lateUnbindLeavesTheRegistrationsOfANewBinding() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    Initiator first = boundInitiator(volume);
    CompletableFuture<?> unbind = unbindBehindASlowWrite(first, volume);

    String lun = lunOf(fixture.bound(volume));
    first.settle(lun);
    assertGood(out(first, lun, REGISTER, 0, 0, 7, APTPL));
    assertGood(out(first, lun, RESERVE, EXCLUSIVE_ACCESS, 7, 0, 0));
    finish(unbind);

    assertThat(first.send(lun, READ_KEYS).hex()).endsWith("0000000000000007");
    luns.bind(op(), OTHER_HOST, volume, Set.of());
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    other.settle(lun);
    assertConflict(other.send(lun, READ));
    assertThat(fixture.engine.records().withPrefix("scsi/registration/")).hasSize(1);
  }

  @Test
  void lateUnbindLeavesTheSpc2ReservationOfANewBinding() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    Initiator first = boundInitiator(volume);
    CompletableFuture<?> unbind = unbindBehindASlowWrite(first, volume);

    String lun = lunOf(fixture.bound(volume));
    first.settle(lun);
    assertGood(first.send(lun, SPC2_RESERVE));
    finish(unbind);

    luns.bind(op(), OTHER_HOST, volume, Set.of());
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    assertThat(other.send(lun, READ).code()).isEqualTo("6/29/00");
    assertConflict(other.send(lun, READ));
  }

  @Test
  void unbindEndsTheSpc2ReservationOfANexusThatEndsMeanwhile() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), OTHER_HOST, volume, Set.of());
    Initiator first = boundInitiator(volume);
    String lun = lunOf(luns.bindingsOf(volume).getFirst());
    assertGood(first.send(lun, SPC2_RESERVE));
    CompletableFuture<?> unbind = unbindBehindASlowWrite(first, volume);

    CompletableFuture<Boolean> detached = first.beginDetach();
    finish(unbind);

    assertThat(detached.get(10, TimeUnit.SECONDS)).isTrue();
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    other.settle(lun);
    assertGood(other.send(lun, READ));
  }

  @Test
  void lateUnexportLeavesTheRegistrationsOfANewExport() throws Exception {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator first = fixture.plain();
    held.hold();
    first.begin(LUN_0, WRITE, new byte[512]);
    held.awaitHeld(1);
    CompletableFuture<?> unexport = CompletableFuture.runAsync(() -> luns.unexport(op(), volume));
    await("unexported", () -> luns.exportOf(volume).isEmpty());

    Export again = luns.export(op(), volume, Optional.empty(), false, Set.of(ESX));
    String lun = "%04x000000000000".formatted(again.lun());
    first.settle(lun);
    assertGood(out(first, lun, REGISTER, 0, 0, 7, APTPL));
    finish(unexport);

    assertThat(first.send(lun, READ_KEYS).hex()).endsWith("0000000000000007");
  }

  @Test
  void nameThatLeavesAHostDuringItsUnbindReachesNothing() throws Exception {
    luns.declareHost(op(), HOST, Set.of(ESX, SECOND_NAME));
    VolumeId one = fixture.volume(1 << 20);
    VolumeId two = fixture.volume(1 << 20);
    Initiator leaver = boundInitiator(one);
    String lunOfOne = lunOf(luns.bindingsOf(one).getFirst());
    String lunOfTwo = lunOf(fixture.bound(two));
    leaver.settle(lunOfTwo);
    Initiator stayer = new Initiator(fixture.target.endpoints(), SECOND_NAME);
    stayer.settle(lunOfOne);
    stayer.settle(lunOfTwo);
    held.hold();
    stayer.begin(lunOfOne, WRITE, new byte[512]);
    stayer.begin(lunOfTwo, WRITE, new byte[512]);
    held.awaitHeld(2);
    CompletableFuture<?> unbind = CompletableFuture.runAsync(() -> luns.unbindAll(op(), HOST));
    await("unbound", () -> luns.bindings().isEmpty());

    luns.declareHost(op(), HOST, Set.of(SECOND_NAME));
    finish(unbind);

    assertThat(leaver.send(lunOfOne, WRITE, new byte[512]).code()).isEqualTo("5/25/00");
    assertThat(leaver.send(lunOfTwo, WRITE, new byte[512]).code()).isEqualTo("5/25/00");
  }

  @Test
  void nameThatMovesToAnotherHostKeepsWhatItRegistersThere() throws Exception {
    luns.declareHost(op(), HOST, Set.of(ESX, SECOND_NAME));
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), OTHER_HOST, volume, Set.of());
    Initiator mover = boundInitiator(volume);
    String lun = lunOf(luns.bindingsOf(volume).getFirst());
    held.hold();
    mover.begin(lun, WRITE, new byte[512]);
    held.awaitHeld(1);
    CompletableFuture<?> change =
        CompletableFuture.runAsync(() -> luns.declareHost(op(), HOST, Set.of(SECOND_NAME)));
    await("taken away", () -> !luns.initiatorsOf(HOST).contains(ESX));

    luns.declareHost(op(), OTHER_HOST, Set.of(OTHER, ESX));
    mover.settle(lun);
    assertGood(out(mover, lun, REGISTER, 0, 0, 7, APTPL));
    finish(change);

    assertThat(mover.send(lun, READ_KEYS).hex()).endsWith("0000000000000007");
  }

  /// Another host's quick unbind must not close the unit below the slow one's.
  @Test
  void unitStaysOpenUntilTheLastCommandHasEnded() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), OTHER_HOST, volume, Set.of());
    Initiator first = boundInitiator(volume);
    String old = lunOf(luns.bindingsOf(volume).getFirst());
    assertGood(out(first, old, REGISTER, 0, 0, 1, APTPL));
    CompletableFuture<?> unbind = unbindBehindASlowWrite(first, volume);
    luns.unbind(op(), OTHER_HOST, volume);

    String lun = lunOf(fixture.bound(volume));
    first.settle(lun);
    assertGood(out(first, lun, REGISTER, 0, 1, 2, APTPL));
    finish(unbind);

    assertThat(fixture.engine.records().withPrefix("scsi/registration/").values())
        .containsExactly("0000000000000002");
  }

  @Test
  void volumeIsNotFreeBeforeTheLastCommandHasEnded() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    Initiator first = boundInitiator(volume);
    assertThat(luns.isBeingLeft(volume)).isFalse();

    CompletableFuture<?> unbind = unbindBehindASlowWrite(first, volume);

    assertThat(luns.isBeingLeft(volume)).isTrue();
    finish(unbind);
    assertThat(luns.isBeingLeft(volume)).isFalse();
  }

  /// Binds a volume for the first host; its initiator has seen the unit's attentions.
  private Initiator boundInitiator(VolumeId volume) {
    String lun = lunOf(fixture.bound(volume));
    Initiator initiator = fixture.endpoints();
    initiator.settle(lun);
    return initiator;
  }

  private static String lunOf(Binding binding) {
    return "%04xd2%06x0000".formatted(binding.endpoint().lun(), binding.subsidiary());
  }

  /// An unbind that waits for a write which the device holds.
  private CompletableFuture<?> unbindBehindASlowWrite(Initiator initiator, VolumeId volume)
      throws InterruptedException {
    held.hold();
    initiator.begin(lunOf(luns.bindingsOf(volume).getFirst()), WRITE, new byte[512]);
    held.awaitHeld(1);
    CompletableFuture<?> unbind = CompletableFuture.runAsync(() -> luns.unbind(op(), HOST, volume));
    await("unbound", () -> luns.bindingsOf(volume).stream().noneMatch(b -> b.host().equals(HOST)));
    return unbind;
  }

  private void finish(CompletableFuture<?> late) throws Exception {
    assertThat(late).isNotDone();
    held.release();
    late.get(10, TimeUnit.SECONDS);
  }

  private static void await(String what, BooleanSupplier done) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what + " within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
