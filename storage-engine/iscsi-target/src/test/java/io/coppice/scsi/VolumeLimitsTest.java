package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a limit in the pool does to commands, over time that only the test moves.
class VolumeLimitsTest {

  private static final LogicalUnitNumber LUN = LogicalUnitNumber.ZERO;
  private static final String LUN_1 = "0001000000000000";
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final Limits TEN = new Limits(10, 0);

  private final ManualTimer alarm = new ManualTimer();
  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), alarm);

  @AfterEach
  void close() {
    held.release();
    fixture.close();
  }

  @Test
  void commandsBeyondTheLimitWaitForTheirTurn() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    List<Pending> reads = begin(initiator, LUN_0, READ, 50);

    assertThat(ended(reads)).isLessThanOrEqualTo(2);
    alarm.advanceMillis(2000);
    assertThat(ended(reads)).isCloseTo(20, within(2));
    alarm.advanceMillis(4000);
    assertThat(reads).allSatisfy(read -> assertThat(status(read)).isEqualTo(ScsiStatus.GOOD));
  }

  @Test
  void unitWithoutLimitIsNotTouchedByTheFloodOfAnother() {
    limited(TEN);
    fixture.exported(1 << 20);
    Initiator initiator = fixture.plain();
    initiator.settle(LUN_1);
    begin(initiator, LUN_0, READ, 100);

    for (int i = 0; i < 100; i++) {
      assertThat(initiator.begin(LUN_1, READ).reply()).isCompleted();
    }
  }

  @Test
  void commandsThatTouchNoMediumNeverWait() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    begin(initiator, LUN_0, READ, 100);

    for (String cdb :
        List.of(
            "00 00 00 00 00 00", // TEST UNIT READY
            "12 00 00 00 60 00", // INQUIRY
            "a0 00 00 00 00 00 00 00 10 00 00 00", // REPORT LUNS
            "03 00 00 00 12 00", // REQUEST SENSE
            "25 00 00000000 00 00 00 00", // READ CAPACITY
            "1a 00 3f 00 ff 00", // MODE SENSE
            "35 00 00000000 00 0000 00", // SYNCHRONIZE CACHE
            "16 00 00 00 00 00", // RESERVE
            "17 00 00 00 00 00")) { // RELEASE
      assertThat(status(initiator.begin(LUN_0, cdb))).as(cdb).isEqualTo(ScsiStatus.GOOD);
    }
  }

  @Test
  void bandwidthIsCountedInBytes() {
    limited(new Limits(0, 1 << 20));
    Initiator initiator = fixture.plain();
    List<Pending> reads = begin(initiator, LUN_0, "28 00 00000000 00 0100 00", 40); // 128 KiB

    alarm.advanceMillis(3000);

    assertThat(ended(reads)).isCloseTo(24, within(2));
  }

  @Test
  void tooManyAreAnsweredTaskSetFull() {
    limited(new Limits(100, 0));
    Initiator initiator = fixture.plain();
    List<Pending> reads = begin(initiator, LUN_0, READ, 400);

    List<Pending> refused =
        reads.stream()
            .filter(read -> read.reply().isDone())
            .filter(read -> status(read) == ScsiStatus.TASK_SET_FULL)
            .toList();
    assertThat(refused).hasSizeBetween(140, 144);
    alarm.advanceMillis(5000);
    assertThat(ended(reads)).isEqualTo(400);
    assertThat(status(initiator.begin(LUN_0, READ))).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void dataOfWaitingWritesIsBounded() {
    VolumeId volume = fixture.exported(16 << 20);
    limit(volume, new Limits(0, 1 << 20));
    Initiator initiator = fixture.plain();
    String write4m = "2a 00 00000000 00 2000 00";
    List<Pending> writes = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      writes.add(initiator.begin(LUN_0, write4m, new byte[4 << 20]));
    }

    assertThat(ended(writes)).isGreaterThan(24 - 17);
    alarm.advanceMillis(120_000);
    assertThat(ended(writes)).isEqualTo(24);
  }

  @Test
  void abortedCommandIsTakenOutAndNeverTouchesTheVolume() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    begin(initiator, LUN_0, READ, 5);
    byte[] ghost = new byte[512];
    ghost[0] = 1;
    Pending write = initiator.begin(LUN_0, WRITE, ghost);

    assertThat(initiator.beginManage(new TaskManagement.AbortTask(LUN, write.tag())))
        .isCompletedWithValue(TaskManagementOutcome.FUNCTION_COMPLETE);

    assertThat(status(write)).isEqualTo(ScsiStatus.TASK_ABORTED);
    alarm.advanceMillis(60_000);
    assertThat(Initiator.await(initiator.begin(LUN_0, READ)).data()).containsOnly(0);
  }

  @Test
  void resetTakesOutTheCommandsOfAllInitiators() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    List<Pending> all = begin(initiator, LUN_0, READ, 20);
    all.addAll(begin(other, LUN_0, READ, 20));

    assertThat(initiator.beginManage(new TaskManagement.LogicalUnitReset(LUN)))
        .isCompletedWithValue(TaskManagementOutcome.FUNCTION_COMPLETE);

    assertThat(ended(all)).isEqualTo(40);
    assertThat(all.stream().filter(one -> status(one) == ScsiStatus.TASK_ABORTED))
        .hasSizeGreaterThan(36);
  }

  @Test
  void endOfTheSessionTakesItsCommandsOut() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    List<Pending> all = begin(initiator, LUN_0, READ, 20);

    CompletableFuture<Boolean> done = initiator.beginDetach();

    assertThat(done).isCompleted();
    assertThat(ended(all)).isEqualTo(20);
  }

  @Test
  void unbindAnswersWhatWaits() {
    VolumeId volume = fixture.volume(1 << 20);
    limit(volume, TEN);
    fixture.bound(volume);
    String lun = "0001d20000010000";
    Initiator initiator = fixture.endpoints();
    initiator.settle(lun);
    List<Pending> all = begin(initiator, lun, READ, 20);

    fixture.luns().unbind(op(), HOST, volume);

    assertThat(ended(all)).isEqualTo(20);
    assertThat(status(all.getLast())).isEqualTo(ScsiStatus.TASK_SET_FULL);
  }

  @Test
  void abortWhileTheEngineWorksWaitsForIt() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    held.hold();
    Pending running = initiator.begin(LUN_0, WRITE, new byte[512]);
    List<Pending> waiting = begin(initiator, LUN_0, READ, 5);

    CompletableFuture<TaskManagementOutcome> abort =
        initiator.beginManage(new TaskManagement.AbortTaskSet(LUN));

    assertThat(ended(waiting)).isEqualTo(5);
    assertThat(abort).isNotDone();
    held.release();
    assertThat(abort).isCompleted();
    assertThat(status(running)).isEqualTo(ScsiStatus.TASK_ABORTED);
  }

  @Test
  void waitingCommandMeetsTheReservationThatCameMeanwhile() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    begin(initiator, LUN_0, READ, 3);
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);
    assertThat(other.send(LUN_0, "16 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);

    alarm.advanceMillis(2000);

    assertThat(status(write)).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
  }

  @Test
  void changedLimitCountsAtOnce() {
    VolumeId volume = limited(TEN);
    Initiator initiator = fixture.plain();
    List<Pending> reads = begin(initiator, LUN_0, READ, 100);

    limit(volume, new Limits(1000, 0));
    alarm.advanceMillis(300);

    assertThat(ended(reads)).isEqualTo(100);
    limit(volume, Limits.NONE);
    assertThat(ended(begin(initiator, LUN_0, READ, 100))).isEqualTo(100);
  }

  @Test
  void limitStandsInThePoolAndCountsAfterARestart() {
    limited(TEN);
    try (ScsiTarget restarted =
        ScsiTarget.open(fixture.engine, ScsiSettings.defaults(), new ManualTimer())) {
      Initiator initiator = new Initiator(restarted.plain(), ESX);
      initiator.settle(LUN_0);

      assertThat(ended(begin(initiator, LUN_0, READ, 50))).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void volumesOfAGroupShareItsLimitByWeight() {
    VolumeId light = fixture.exported(1 << 20);
    VolumeId heavy = fixture.exported(1 << 20);
    member(light, 100);
    member(heavy, 300);
    fixture.target.limits().limit(op(), "vm-1", new Limits(100, 0));
    Initiator initiator = fixture.plain();
    initiator.settle(LUN_1);
    List<Pending> few = begin(initiator, LUN_0, READ, 200);
    List<Pending> many = begin(initiator, LUN_1, READ, 200);

    alarm.advanceMillis(2000);

    assertThat(ended(few)).isCloseTo(50, within(6));
    assertThat(ended(many)).isCloseTo(150, within(6));
  }

  @Test
  void limitOfAGroupStandsInThePoolAndCanBeTakenAway() {
    member(fixture.exported(1 << 20), 100);
    fixture.target.limits().limit(op(), "vm-1", TEN);
    Initiator initiator = fixture.plain();
    List<Pending> reads = begin(initiator, LUN_0, READ, 20);
    assertThat(ended(reads)).isLessThanOrEqualTo(2);

    try (ScsiTarget restarted = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(restarted.limits().all()).isEqualTo(Map.of("vm-1", TEN));
    }
    fixture.target.limits().limit(op(), "vm-1", Limits.NONE);

    assertThat(ended(reads)).isEqualTo(20);
    assertThat(fixture.target.limits().all()).isEmpty();
  }

  @Test
  void headOfQueueGoesBeforeWhatWaits() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    List<Pending> simple = begin(initiator, LUN_0, READ, 20);
    Pending head = initiator.begin(TaskAttribute.HEAD_OF_QUEUE, LUN_0, READ);
    int before = ended(simple);

    alarm.advanceMillis(110);

    assertThat(head.reply()).isCompleted();
    assertThat(ended(simple)).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void orderedCommandWaitsForThoseThatWaitAndOthersForIt() {
    limited(TEN);
    Initiator initiator = fixture.plain();
    List<Pending> before = begin(initiator, LUN_0, READ, 5);
    Pending ordered = initiator.begin(TaskAttribute.ORDERED, LUN_0, READ);
    Pending after = initiator.begin(LUN_0, "00 00 00 00 00 00");

    alarm.advanceMillis(250);
    assertThat(ordered.reply()).isNotDone();
    assertThat(after.reply()).isNotDone();
    alarm.advanceMillis(1000);

    assertThat(ended(before)).isEqualTo(5);
    assertThat(status(ordered)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(after)).isEqualTo(ScsiStatus.GOOD);
  }

  private VolumeId limited(Limits limits) {
    VolumeId volume = fixture.exported(1 << 20);
    limit(volume, limits);
    return volume;
  }

  private void limit(VolumeId volume, Limits limits) {
    fixture.engine.setAttributes(op(), volume, Map.of(), LimitAttributes.LIMIT_KEYS);
    fixture.engine.setAttributes(op(), volume, LimitAttributes.attributesOf(limits), Set.of());
  }

  private void member(VolumeId volume, int weight) {
    fixture.engine.setAttributes(
        op(),
        volume,
        Map.of("qos.group", "vm-1", LimitAttributes.WEIGHT, Integer.toString(weight)),
        Set.of());
  }

  private static List<Pending> begin(Initiator initiator, String lun, String cdb, int count) {
    List<Pending> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      commands.add(initiator.begin(lun, cdb));
    }
    return commands;
  }

  private static int ended(List<Pending> commands) {
    return (int) commands.stream().filter(command -> command.reply().isDone()).count();
  }

  private static ScsiStatus status(Pending command) {
    assertThat(command.reply()).isDone();
    return Initiator.await(command).status();
  }
}
