package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.task.NexusState;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.transport.TaskManagement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Commands, aborts, resets and changes of limits, all at once and in the system's own time: every
/// command is answered, and answered once.
class LimitStressTest {

  private static final LogicalUnitNumber LUN = LogicalUnitNumber.ZERO;
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final int COMMANDS = 4000;
  private static final long SEED = 20261121;

  private final Fixture fixture = new Fixture(new MemoryEngine(), ScsiSettings.defaults());

  @Test
  void everyCommandIsAnsweredOnce() throws Exception {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator one = fixture.plain();
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    try (fixture;
        ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<List<Pending>> first = threads.submit(sending(one, SEED));
      Future<List<Pending>> second = threads.submit(sending(other, SEED + 1));
      Random random = new Random(SEED + 2);
      while (!first.isDone() || !second.isDone()) {
        disturb(volume, one, random);
      }
      limit(volume, Limits.NONE);
      fixture.target.limits().limit(op(), "vm-1", Limits.NONE);

      List<Pending> all = new ArrayList<>(first.get());
      all.addAll(second.get());
      for (Pending command : all) {
        assertThat(command.reply().get(10, TimeUnit.SECONDS).status())
            .as("seed %d", SEED)
            .isIn(
                ScsiStatus.GOOD,
                ScsiStatus.TASK_ABORTED,
                ScsiStatus.TASK_SET_FULL,
                ScsiStatus.CHECK_CONDITION); // unit attentions of the resets
      }
      assertThat(one.beginDetach()).succeedsWithin(10, TimeUnit.SECONDS);
      assertThat(other.beginDetach()).succeedsWithin(10, TimeUnit.SECONDS);
      assertThat(((NexusState) one.nexus()).waitingBytes()).as("seed %d", SEED).hasValue(0);
      assertThat(((NexusState) other.nexus()).waitingBytes()).as("seed %d", SEED).hasValue(0);
    }
  }

  private static Callable<List<Pending>> sending(Initiator initiator, long seed) {
    return () -> {
      Random random = new Random(seed);
      List<Pending> sent = new ArrayList<>();
      for (int i = 0; i < COMMANDS; i++) {
        TaskAttribute attribute =
            switch (random.nextInt(20)) {
              case 0 -> TaskAttribute.ORDERED;
              case 1 -> TaskAttribute.HEAD_OF_QUEUE;
              default -> TaskAttribute.SIMPLE;
            };
        sent.add(
            random.nextBoolean()
                ? initiator.begin(attribute, LUN_0, READ)
                : initiator.begin(
                    attribute, LUN_0, "2a 00 00000000 00 0008 00", new byte[8 * 512]));
        if (random.nextInt(50) == 0) {
          long tag = sent.get(random.nextInt(sent.size())).tag();
          assertThat(initiator.beginManage(new TaskManagement.AbortTask(LUN, tag)))
              .succeedsWithin(10, TimeUnit.SECONDS);
        }
      }
      return sent;
    };
  }

  private void disturb(VolumeId volume, Initiator initiator, Random random) {
    switch (random.nextInt(5)) {
      case 0 -> limit(volume, new Limits(10 + random.nextInt(5000), 0));
      case 1 -> limit(volume, new Limits(0, (1 << 20) + random.nextInt(100 << 20)));
      case 2 -> limit(volume, Limits.NONE);
      case 3 ->
          fixture
              .target
              .limits()
              .limit(op(), "vm-1", random.nextBoolean() ? Limits.NONE : new Limits(500, 0));
      default ->
          assertThat(initiator.beginManage(new TaskManagement.LogicalUnitReset(LUN)))
              .succeedsWithin(10, TimeUnit.SECONDS);
    }
  }

  private void limit(VolumeId volume, Limits limits) {
    Map<String, String> put = new HashMap<>(LimitAttributes.attributesOf(limits));
    put.put("qos.group", "vm-1");
    Set<String> remove = new HashSet<>(LimitAttributes.LIMIT_KEYS);
    remove.removeAll(put.keySet());
    fixture.engine.setAttributes(op(), volume, put, remove);
  }
}
