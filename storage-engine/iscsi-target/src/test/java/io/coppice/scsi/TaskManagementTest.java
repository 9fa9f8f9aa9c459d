package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whoever ends commands is answered only when none of them can touch a volume any more.
class TaskManagementTest {

  private static final LogicalUnitNumber LUN = LogicalUnitNumber.ZERO;
  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final String TUR = "00 00 00 00 00 00";

  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), ScsiSettings.defaults());

  @AfterEach
  void close() {
    held.release();
    fixture.close();
  }

  @Test
  void abortTaskWaitsForTheWriteAndTheWriteIsAborted() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    held.hold();
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);
    Pending other = initiator.begin(LUN_0, WRITE, new byte[512]);

    CompletableFuture<TaskManagementOutcome> abort =
        initiator.beginManage(new TaskManagement.AbortTask(LUN, write.tag()));
    assertThat(abort).isNotDone();
    held.releaseOne();

    assertThat(abort.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(write.reply()).isDone();
    assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(other.reply()).isNotDone();
    held.release();
    assertThat(Initiator.await(other).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void reservationLastsUntilTheWritesOfATakenPathHaveEnded() throws Exception {
    String lun = "0001d20000010000";
    VolumeId volume = fixture.volume(1 << 20);
    fixture.bound(volume);
    fixture.luns().bind(op(), OTHER_HOST, volume, Set.of());
    Initiator holder = fixture.endpoints();
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    holder.settle(lun);
    other.settle(lun);
    assertThat(holder.send(lun, "16 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
    held.hold();
    Pending write = holder.begin(lun, WRITE, new byte[512]);

    CompletableFuture<Boolean> unbound =
        CompletableFuture.supplyAsync(() -> fixture.luns().unbind(op(), HOST, volume));
    long end = System.nanoTime() + 10_000_000_000L;
    while (!holder.send(lun, TUR).code().startsWith("5/25") && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(other.send(lun, TUR).status()).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    }
    held.release();

    assertThat(unbound.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(write.reply()).isDone();
    assertThat(other.send(lun, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void exportMadeWhileTheLastOneStillEndsIsReadOnlyIfItSaysSo() throws Exception {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    held.hold();
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);
    CompletableFuture<Optional<FormerExport>> gone =
        CompletableFuture.supplyAsync(() -> fixture.luns().unexport(op(), volume));
    long end = System.nanoTime() + 10_000_000_000L;
    while (fixture.luns().exportOf(volume).isPresent() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }

    fixture.luns().export(op(), volume, Optional.of(0), true, Set.of(ESX));
    held.release();

    assertThat(gone.get(10, TimeUnit.SECONDS)).isPresent();
    assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.GOOD);
    initiator.settle(LUN_0);
    assertThat(initiator.send(LUN_0, WRITE, new byte[512]).code()).isEqualTo("7/27/00");
  }

  @Test
  void abortOfAFinishedTaskIsComplete() {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();

    assertThat(initiator.manage(new TaskManagement.AbortTask(LUN, 4711)))
        .isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
  }

  @Test
  void functionsOnALunWithoutAUnitSaySo() {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    LogicalUnitNumber nothing = new LogicalUnitNumber(9L << 48);

    assertThat(initiator.manage(new TaskManagement.AbortTask(nothing, 1)))
        .isEqualTo(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
    assertThat(initiator.manage(new TaskManagement.AbortTaskSet(nothing)))
        .isEqualTo(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
    assertThat(initiator.manage(new TaskManagement.ClearTaskSet(nothing)))
        .isEqualTo(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
    assertThat(initiator.manage(new TaskManagement.LogicalUnitReset(nothing)))
        .isEqualTo(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
    assertThat(initiator.manage(new TaskManagement.ClearAca(LUN)))
        .isEqualTo(TaskManagementOutcome.FUNCTION_REJECTED);
  }

  @Test
  void abortTaskSetLeavesOtherNexusesAlone() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    held.hold();
    Pending mine = initiator.begin(LUN_0, WRITE, new byte[512]);
    Pending theirs = other.begin(LUN_0, WRITE, new byte[512]);

    CompletableFuture<TaskManagementOutcome> abort =
        initiator.beginManage(new TaskManagement.AbortTaskSet(LUN));
    held.release();

    assertThat(abort.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(Initiator.await(mine).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(Initiator.await(theirs).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void clearTaskSetTellsTheOtherNexus() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    held.hold();
    Pending theirs = other.begin(LUN_0, WRITE, new byte[512]);

    CompletableFuture<TaskManagementOutcome> clear =
        initiator.beginManage(new TaskManagement.ClearTaskSet(LUN));
    assertThat(clear).isNotDone();
    held.release();

    assertThat(clear.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(Initiator.await(theirs).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(other.send(LUN_0, TUR).code()).isEqualTo("6/2f/00");
    assertThat(initiator.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void logicalUnitResetEndsEveryCommandAndTheReservation() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    other.send(LUN_0, "16 00 00 00 00 00");
    held.hold();
    Pending theirs = other.begin(LUN_0, WRITE, new byte[512]);

    CompletableFuture<TaskManagementOutcome> reset =
        initiator.beginManage(new TaskManagement.LogicalUnitReset(LUN));
    assertThat(reset).isNotDone();
    held.release();

    assertThat(reset.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(Initiator.await(theirs).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("6/29/03");
    assertThat(other.send(LUN_0, TUR).code()).isEqualTo("6/29/03");
    assertThat(initiator.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void preemptAndAbortWaitsForTheWriteOfWhoeverIsPreempted() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    initiator.send(LUN_0, "5f 06 00 0000 00000018 00", keys(0, 1));
    other.send(LUN_0, "5f 06 00 0000 00000018 00", keys(0, 2));
    other.send(LUN_0, "5f 01 01 0000 00000018 00", keys(2, 0));
    held.hold();
    Pending theirs = other.begin(LUN_0, WRITE, new byte[512]);

    Pending preempt = initiator.begin(LUN_0, "5f 05 01 0000 00000018 00", keys(1, 2));
    awaitConflict(other);
    assertThat(preempt.reply()).isNotDone();
    held.release();

    assertThat(Initiator.await(preempt).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(theirs.reply()).isDone();
    assertThat(Initiator.await(theirs).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(other.send(LUN_0, WRITE, new byte[512]).status())
        .isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(initiator.send(LUN_0, WRITE, new byte[512]).status()).isEqualTo(ScsiStatus.GOOD);
  }

  private static byte[] keys(long key, long serviceKey) {
    return ByteBuffer.allocate(24).putLong(key).putLong(serviceKey).array();
  }

  /// The unit attention tells that the registration is gone; what comes after it conflicts.
  private static void awaitConflict(Initiator initiator) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!initiator.send(LUN_0, TUR).code().equals("6/2a/05")) {
      assertThat(System.nanoTime()).as("preempted within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void targetResetTouchesOnlyUnitsThatTheNexusReaches() {
    VolumeId first = fixture.volume(1 << 20);
    VolumeId second = fixture.volume(1 << 20);
    fixture.bound(first);
    fixture.luns().bind(op(), Fixture.OTHER_HOST, second, Set.of());
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001d20000010000");
    Initiator other = new Initiator(fixture.target.endpoints(), OTHER);
    other.settle("0001d20000020000");

    assertThat(initiator.manage(new TaskManagement.TargetWarmReset()))
        .isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);

    assertThat(initiator.send("0001d20000010000", TUR).code()).isEqualTo("6/29/03");
    assertThat(other.send("0001d20000020000", TUR).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void detachWaitsForTheLastWriteAndFreesTheReservation() throws Exception {
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    initiator.send(LUN_0, "16 00 00 00 00 00");
    held.hold();
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);

    CompletableFuture<Boolean> done = initiator.beginDetach();
    assertThat(done).isNotDone();
    assertThat(other.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    held.release();

    assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(write.reply()).isDone();
    assertThat(other.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(initiator.send(LUN_0, WRITE, new byte[512]).status())
        .isEqualTo(ScsiStatus.TASK_ABORTED);
  }

  @Test
  void unbindReturnsAfterTheHostsLastWrite() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    fixture.bound(volume);
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001d20000010000");
    held.hold();
    Pending write = initiator.begin("0001d20000010000", WRITE, new byte[512]);
    AtomicBoolean wroteFirst = new AtomicBoolean();

    Thread unbind =
        Thread.ofVirtual()
            .start(
                () -> {
                  fixture.luns().unbind(op(), HOST, volume);
                  wroteFirst.set(write.reply().isDone());
                });
    awaitRefused(initiator, "0001d20000010000");
    assertThat(initiator.send("0001d20000010000", TUR).code()).isEqualTo("5/68/01");
    assertThat(unbind.isAlive()).isTrue();
    held.release();

    assertThat(unbind.join(Duration.ofSeconds(10))).isTrue();
    assertThat(wroteFirst).isTrue();
    assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void unbindReturnsAfterACopyThatRunsElsewhere() throws Exception {
    VolumeId source = fixture.volume(1 << 20);
    fixture.bound(source);
    fixture.bound(fixture.volume(1 << 20));
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001d20000010000");
    initiator.settle("0001d20000020000");
    String list =
        "07000040000000000000001c00000000"
            + device(initiator, "0001d20000010000")
            + device(initiator, "0001d20000020000")
            + "020000180000000100000008"
            + "00".repeat(16);
    held.hold();
    Pending copy =
        initiator.begin(
            "0001d20000020000",
            "83 00 0000000000000000 0000006c 00 00",
            HexFormat.of().parseHex(list));
    held.awaitHeld(1);

    Thread unbind = Thread.ofVirtual().start(() -> fixture.luns().unbind(op(), HOST, source));
    awaitUnbound(source);
    assertThat(unbind.isAlive()).isTrue();
    held.release();

    assertThat(unbind.join(Duration.ofSeconds(10))).isTrue();
    assertThat(Initiator.await(copy).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void detachAndAbortWaitForAWriteToAUnitTakenAway() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    fixture.bound(volume);
    Initiator initiator = fixture.endpoints();
    LogicalUnitNumber lun = new LogicalUnitNumber(0x0001d20000010000L);
    initiator.settle("0001d20000010000");
    held.hold();
    Pending write = initiator.begin("0001d20000010000", WRITE, new byte[512]);
    Thread unbind = Thread.ofVirtual().start(() -> fixture.luns().unbind(op(), HOST, volume));
    awaitRefused(initiator, "0001d20000010000");

    CompletableFuture<TaskManagementOutcome> abort =
        initiator.beginManage(new TaskManagement.AbortTask(lun, write.tag()));
    CompletableFuture<Boolean> detached = initiator.beginDetach();
    assertThat(abort).isNotDone();
    assertThat(detached).isNotDone();
    held.release();

    assertThat(abort.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(detached.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(write.reply()).isDone();
    assertThat(unbind.join(Duration.ofSeconds(10))).isTrue();
  }

  private static void awaitRefused(Initiator initiator, String lun) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (initiator.send(lun, TUR).status() == ScsiStatus.GOOD) {
      assertThat(System.nanoTime()).as("refused within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static String device(Initiator initiator, String lun) {
    String name = initiator.send(lun, "12 01 83 00 ff 00").hex(8, 24);
    return "e4000000" + "01030010" + name + "00000000" + "00000200";
  }

  /// The LUN stops answering before the unbind returns.
  private void awaitUnbound(VolumeId volume) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!fixture.luns().bindingsOf(volume).isEmpty()) {
      assertThat(System.nanoTime()).as("unbound within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void unexportReturnsAfterTheLastWrite() throws Exception {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator initiator = new Initiator(fixture.target.plain(), ESX);
    initiator.settle(LUN_0);
    held.hold();
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);

    Thread unexport = Thread.ofVirtual().start(() -> fixture.luns().unexport(op(), volume));
    held.awaitHeld(1);
    assertThat(unexport.join(Duration.ofMillis(50))).isFalse();
    held.release();

    assertThat(unexport.join(Duration.ofSeconds(10))).isTrue();
    assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(initiator.send(LUN_0, TUR).code()).isEqualTo("5/25/00");
  }
}
