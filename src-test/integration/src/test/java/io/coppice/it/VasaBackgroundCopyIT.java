package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.TaskCalls;
import io.coppice.driver.soap.TaskInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A copy of differences that goes on behind its call: 2,048 blocks, each a difference of its own.
class VasaBackgroundCopyIT {

  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final int BLOCK = 4096;
  private static final int PER_BLOCK = BLOCK / 512;
  private static final int DIFFERENCES = 2_048;
  private static final int AT_ONCE = 64;
  private static final int STEP = 1 << 20;

  @RegisterExtension
  private static final SharedSite shared = new SharedSite("--coppice.vasa.tasks.copy-in-call=1MB");

  private String source;
  private String base;
  private String destination;

  @BeforeEach
  void makeDifferences() {
    source = shared.site().create("Data", 2L * DIFFERENCES * BLOCK / STEP, Map.of());
    VvolDisk disk = shared.site().host().bind(source);
    byte[] ones = new byte[STEP];
    Arrays.fill(ones, (byte) 1);
    for (long at = 0; at < 2L * DIFFERENCES * BLOCK; at += STEP) {
      disk.disk().write(at, ByteBuffer.wrap(ones));
    }
    base = shared.site().snapshot(source);
    for (int i = 0; i < DIFFERENCES; i += AT_ONCE) {
      disk.unit().unmap(2L * i * PER_BLOCK, PER_BLOCK, 2L * PER_BLOCK, AT_ONCE);
    }
    shared.site().host().unbind(disk);
    destination =
        shared
            .site()
            .await(snapshots().cloneVirtualVolume(base, null, null, Map.of("VMW_VVolType", "Data")))
            .requireResult();
  }

  @AfterEach
  void everythingCanBeDeleted() {
    for (String id : List.of(base, destination, source)) {
      shared.site().host().client().volumes().deleteVirtualVolume(id);
    }
    assertThat(volumes()).as("no half-made vVol is left").isZero();
    assertThat(tasks().getCurrentTask(null)).as("no task without an end").isEmpty();
  }

  @Test
  void aCopyTellsHowFarItIsAndLeavesItsBeginningWhenItIsCancelled() {
    TaskInfo task = copy();
    assertThat(task.name()).isEqualTo("copyDiffsToVirtualVolume");
    assertThat(task.cancelable()).isTrue();
    assertThat(task.progressAvailable()).isTrue();
    TaskInfo later = untilItMoves(task);
    assertThat(later.progress()).isBetween(1, 99);
    assertThat(tasks().getCurrentTask(null)).extracting(TaskInfo::taskId).contains(task.taskId());
    assertThat(
            shared
                .site()
                .host()
                .client()
                .bindings()
                .bindVirtualVolume(List.of(destination), BindingCalls.NORMAL)
                .getFirst()
                .fault())
        .as("the destination cannot be bound meanwhile")
        .isNotNull()
        .extracting(fault -> fault.name())
        .isEqualTo("ResourceInUse");

    tasks().cancelTask(task.taskId());
    TaskInfo ended = untilItEnds(task);

    assertThat(ended.state()).isEqualTo(TaskInfo.ERROR);
    assertThat(ended.cancelled()).isTrue();
    assertFault("cancelled twice", "NotCancellable", () -> tasks().cancelTask(task.taskId()));
    assertThat(copied()).isBetween(1, DIFFERENCES - 1);
    theRepeatCopiesAllOfIt();
  }

  @Test
  void aCopyThatAKillCutShortEndsInAnErrorAndIsRepeated() {
    int before = volumes();
    TaskInfo task = untilItMoves(copy());

    shared.provider().process().kill();
    shared.provider().process().start();
    shared.provider().process().awaitReady(RunningProvider.START_LIMIT);
    shared.site().host().reopenSession(BOUND);
    shared.site().host().reconnect(BOUND);

    TaskInfo ended = untilItEnds(task);
    assertThat(ended.state()).isEqualTo(TaskInfo.ERROR);
    assertThat(ended.cancelled()).isFalse();
    assertThat(volumes()).isEqualTo(before);
    assertThat(copied()).isBetween(1, DIFFERENCES - 1);
    theRepeatCopiesAllOfIt();
  }

  private void theRepeatCopiesAllOfIt() {
    TaskInfo done = tasks().await(copy(), BOUND);
    assertThat(done.progress()).isEqualTo(100);
    assertThat(copied()).isEqualTo(DIFFERENCES);
  }

  private TaskInfo copy() {
    TaskInfo task = snapshots().copyDiffsToVirtualVolume(source, base, destination);
    assertThat(task.state()).isNotEqualTo(TaskInfo.ERROR);
    return task;
  }

  /// The first answer that tells of progress.
  private static TaskInfo untilItMoves(TaskInfo task) {
    TaskInfo now = task;
    while (now.progress() == 0) {
      now = tasks().getTaskUpdate(task.taskId());
      assertThat(now.ended()).as(now.toString()).isFalse();
    }
    return now;
  }

  private static TaskInfo untilItEnds(TaskInfo task) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    TaskInfo now = tasks().getTaskUpdate(task.taskId());
    while (!now.ended()) {
      assertThat(System.nanoTime()).as(now.toString()).isLessThan(deadline);
      now = tasks().getTaskUpdate(task.taskId());
    }
    return now;
  }

  /// How many of the differences the destination has: the first ones and no others. What does not
  /// differ is as it was.
  private int copied() {
    VvolDisk disk = shared.site().host().bind(destination);
    int copied = 0;
    ByteBuffer part = ByteBuffer.allocate(STEP);
    for (int i = 0; i < 2 * DIFFERENCES; i++) {
      int inPart = i * BLOCK % STEP;
      if (inPart == 0) {
        disk.disk().read((long) i * BLOCK, part.clear());
      }
      boolean old = part.get(inPart) == 1;
      if (i % 2 == 1) {
        assertThat(old).as("block %d, which does not differ", i).isTrue();
      } else if (!old) {
        assertThat(copied).as("differences before that in block %d", i).isEqualTo(i / 2);
        copied++;
      }
    }
    shared.site().host().unbind(disk);
    return copied;
  }

  private static int volumes() {
    return shared.provider().rest().get("vvols").get("items").size()
        + shared.provider().rest().get("snapshots").get("items").size();
  }

  private static SnapshotCalls snapshots() {
    return shared.site().host().client().snapshots();
  }

  private static TaskCalls tasks() {
    return shared.site().host().client().tasks();
  }
}
