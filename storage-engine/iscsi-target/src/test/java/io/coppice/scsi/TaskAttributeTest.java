package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which command waits for which, over an engine that holds writes back.
class TaskAttributeTest {

  private static final String READ = "28 00 00000000 00 0001 00";

  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), ScsiSettings.defaults());
  private Initiator initiator;

  @BeforeEach
  void attach() {
    fixture.exported(1 << 20);
    initiator = fixture.plain();
    held.hold();
  }

  @AfterEach
  void close() {
    held.release();
    fixture.close();
  }

  @Test
  void simpleCommandsDoNotWaitForEachOther() {
    Pending write = write(TaskAttribute.SIMPLE, 1);
    Pending read = initiator.begin(TaskAttribute.SIMPLE, LUN_0, READ);

    assertThat(read.reply()).isDone();
    assertThat(write.reply()).isNotDone();
  }

  @Test
  void orderedCommandBeginsAfterAllEarlierOnes() throws Exception {
    write(TaskAttribute.SIMPLE, 1);
    write(TaskAttribute.SIMPLE, 2);
    Pending ordered = initiator.begin(TaskAttribute.ORDERED, LUN_0, READ);

    held.releaseOne();
    assertThat(ordered.reply()).isNotDone();
    held.releaseOne();

    assertThat(Initiator.await(ordered).data()).containsOnly(2);
  }

  @Test
  void laterCommandsBeginAfterTheOrderedOne() throws Exception {
    Pending first = write(TaskAttribute.SIMPLE, 1);
    Pending ordered = write(TaskAttribute.ORDERED, 2);
    Pending read = initiator.begin(TaskAttribute.SIMPLE, LUN_0, READ);
    Pending second = initiator.begin(TaskAttribute.ORDERED, LUN_0, READ);

    held.releaseOne();
    assertThat(first.reply()).isDone();
    held.awaitHeld(1);
    assertThat(read.reply()).isNotDone();
    held.releaseOne();

    assertThat(ordered.reply()).isDone();
    assertThat(Initiator.await(read).data()).containsOnly(2);
    assertThat(Initiator.await(second).data()).containsOnly(2);
  }

  @Test
  void headOfQueueNeverWaits() {
    write(TaskAttribute.SIMPLE, 1);
    write(TaskAttribute.ORDERED, 2);

    assertThat(initiator.begin(TaskAttribute.HEAD_OF_QUEUE, LUN_0, READ).reply()).isDone();
  }

  @Test
  void commandThatStillWaitsIsTakenOut() throws Exception {
    Pending first = write(TaskAttribute.SIMPLE, 1);
    Pending ordered = write(TaskAttribute.ORDERED, 2);

    CompletableFuture<TaskManagementOutcome> abort =
        initiator.beginManage(new TaskManagement.AbortTask(LogicalUnitNumber.ZERO, ordered.tag()));
    held.release();

    assertThat(abort.get(10, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    assertThat(Initiator.await(first).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(Initiator.await(ordered).status()).isEqualTo(ScsiStatus.TASK_ABORTED);
    assertThat(Initiator.await(initiator.begin(LUN_0, READ)).data()).containsOnly(1);
  }

  @Test
  void manyOrderedCommandsEndInTheirOrder() {
    held.release();
    for (int i = 1; i <= 200; i++) {
      write(TaskAttribute.ORDERED, i);
    }

    assertThat(Initiator.await(initiator.begin(TaskAttribute.ORDERED, LUN_0, READ)).data())
        .containsOnly((byte) 200);
  }

  private Pending write(TaskAttribute attribute, int value) {
    byte[] block = new byte[512];
    Arrays.fill(block, (byte) value);
    return initiator.begin(attribute, LUN_0, "2a 00 00000000 00 0001 00", block);
  }
}
