package io.coppice.scsi.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.scsi.limit.FairQueues.Outcome;
import io.coppice.scsi.setting.LimitSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FairQueuesTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1L << 20;

  private final ManualTimer alarm = new ManualTimer();
  private final FairQueues queues = new FairQueues(LimitSettings.defaults(), alarm);

  @Test
  void floodIsHeldToItsRateInEverySecond() {
    Flood flood = new Flood(limited(new Limits(1000, 0)), BLOCK, 64);

    for (int second = 0; second < 10; second++) {
      int before = flood.begun;
      alarm.advanceMillis(1000);
      assertThat(flood.begun - before).isCloseTo(1000, within(50));
    }
    assertThat(flood.begun).isCloseTo(10_000, within(50));
  }

  @Test
  void bandwidthCountsBytesWhateverTheSizeOfTheIos() {
    Flood large = new Flood(limited(new Limits(0, 100 * MIB)), (int) MIB, 8);
    Flood small = new Flood(limited(new Limits(0, 100 * MIB)), BLOCK, 256);

    alarm.advanceMillis(5000);

    assertThat(large.bytes()).isCloseTo(500 * MIB, within(5 * MIB));
    assertThat(small.bytes()).isCloseTo(500 * MIB, within(5 * MIB));
  }

  @Test
  void ioLargerThanTheBurstPassesAndIsPaidOffAfterwards() {
    Flood flood = new Flood(limited(new Limits(0, MIB)), 4 * (int) MIB, 2);

    assertThat(flood.begun).isEqualTo(1);
    alarm.advanceMillis(3900);
    assertThat(flood.begun).isEqualTo(1);
    alarm.advanceMillis(200);
    assertThat(flood.begun).isEqualTo(2);
  }

  @Test
  void bothLimitsHold() {
    Flood small = new Flood(limited(new Limits(500, 100 * MIB)), BLOCK, 32);
    Flood large = new Flood(limited(new Limits(500, 100 * MIB)), (int) MIB, 32);

    alarm.advanceMillis(4000);

    assertThat(small.begun).isCloseTo(2000, within(30));
    assertThat(large.begun).isCloseTo(400, within(10));
  }

  @Test
  void ioThatFailsToBeginHoldsUpNoOther() {
    FairQueue queue = limited(new Limits(10, 0));
    AtomicInteger begun = new AtomicInteger();
    while (queues.offer(queue, () -> {}, BLOCK, false) == Outcome.BEGIN) {}

    queues.offer(
        queue,
        () -> {
          throw new IllegalStateException("on purpose");
        },
        BLOCK,
        false);
    queues.offer(queue, begun::incrementAndGet, BLOCK, false);
    alarm.advanceMillis(1000);

    assertThat(begun.get()).isEqualTo(1);
  }

  @Test
  void idleTimeSavesUpTheBurstAndNoMore() {
    FairQueue queue = limited(new Limits(1000, 0));
    alarm.advanceMillis(60_000);

    int passed = 0;
    while (queues.offer(queue, () -> {}, BLOCK, false) == Outcome.BEGIN) {
      passed++;
    }

    assertThat(passed).isEqualTo(21); // 20 ms of burst, and the one that makes the debt
  }

  @Test
  void lateAlarmLosesNothing() {
    Flood flood = new Flood(limited(new Limits(1000, 0)), BLOCK, 64);

    for (int i = 0; i < 50; i++) {
      alarm.skipMillis(45); // more than twice the burst
    }

    assertThat(flood.begun).isCloseTo(2250, within(90));
  }

  @Test
  void longStopIsNotMadeUpFor() {
    Flood flood = new Flood(limited(new Limits(1000, 0)), BLOCK, 250);

    alarm.skipMillis(10_000);

    assertThat(flood.begun).isLessThan(100);
  }

  @Test
  void slowNeighbourOfAFloodNeverWaits() {
    Flood flood = new Flood(limited(new Limits(100, 0)), BLOCK, 256);
    FairQueue neighbour = limited(new Limits(1000, 0));

    for (int i = 0; i < 1000; i++) {
      alarm.advanceMillis(5);
      assertThat(queues.offer(neighbour, () -> {}, BLOCK, false)).isEqualTo(Outcome.BEGIN);
    }
    assertThat(flood.begun).isCloseTo(500, within(5));
  }

  @Test
  void groupSharesItsLimitByWeight() {
    queues.limitGroup("vm", new Limits(4000, 0));
    FairQueues.Group vm = queues.group("vm");
    Flood light = new Flood(member(vm, 100), BLOCK, 32);
    Flood heavy = new Flood(member(vm, 300), BLOCK, 32);

    alarm.advanceMillis(5000);

    assertThat(light.begun + heavy.begun).isCloseTo(20_000, within(100));
    assertThat((double) heavy.begun / light.begun).isCloseTo(3, within(0.15));
  }

  @Test
  void largeIosDoNotTakeTheTurnsOfSmallOnes() {
    queues.limitGroup("vm", new Limits(0, 100 * MIB));
    FairQueues.Group vm = queues.group("vm");
    Flood large = new Flood(member(vm, 100), (int) MIB, 32);
    Flood small = new Flood(member(vm, 100), 32 << 10, 32);

    alarm.advanceMillis(5000);

    assertThat(large.bytes() + small.bytes()).isCloseTo(500 * MIB, within(10 * MIB));
    // Each has the same in I/Os plus units of 32 KiB: 33 for a large one, 2 for a small one.
    assertThat(33.0 * large.begun / (2.0 * small.begun)).isCloseTo(1, within(0.1));
  }

  @Test
  void memberStoppedByItsOwnLimitLeavesTheRestToTheOthers() {
    queues.limitGroup("vm", new Limits(2000, 0));
    FairQueues.Group vm = queues.group("vm");
    FairQueue slow = queues.queue(() -> {});
    queues.configure(slow, new Limits(100, 0), 1000, vm);
    Flood held = new Flood(slow, BLOCK, 64);
    Flood free = new Flood(member(vm, 1), BLOCK, 64);

    alarm.advanceMillis(5000);

    assertThat(held.begun).isCloseTo(500, within(5));
    assertThat(free.begun).isCloseTo(9500, within(100));
  }

  @Test
  void memberThatWasIdleHasNoClaimOnThePast() {
    queues.limitGroup("vm", new Limits(1000, 0));
    FairQueues.Group vm = queues.group("vm");
    Flood early = new Flood(member(vm, 100), BLOCK, 32);
    alarm.advanceMillis(10_000);
    int before = early.begun;

    Flood late = new Flood(member(vm, 100), BLOCK, 32);
    alarm.advanceMillis(2000);

    assertThat(early.begun - before).isCloseTo(1000, within(60));
    assertThat(late.begun).isCloseTo(1000, within(60));
  }

  @Test
  void ioThatWouldWaitTooLongIsRefused() {
    FairQueue slow = limited(new Limits(10, 0));
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      outcomes.add(queues.offer(slow, () -> {}, BLOCK, false));
    }

    assertThat(outcomes.stream().filter(Outcome.WAIT::equals)).hasSize(150); // 15 s of 10 a second
    assertThat(outcomes).last().isEqualTo(Outcome.FULL);
  }

  @Test
  void queueIsBoundedInNumber() {
    FairQueue fast = limited(new Limits(1000, 0));
    for (int i = 0; i < 1000; i++) {
      queues.offer(fast, () -> {}, BLOCK, false);
    }

    assertThat(queues.waiting(fast)).isEqualTo(256);
  }

  @Test
  void floodOfOneMemberDoesNotFillTheQueueOfAnother() {
    queues.limitGroup("vm", new Limits(10, 0));
    FairQueues.Group vm = queues.group("vm");
    FairQueue flooded = member(vm, 100);
    FairQueue other = member(vm, 100);
    for (int i = 0; i < 400; i++) {
      queues.offer(flooded, () -> {}, BLOCK, false);
    }

    for (int i = 0; i < 10; i++) {
      assertThat(queues.offer(other, () -> {}, BLOCK, false)).isEqualTo(Outcome.WAIT);
    }
  }

  @Test
  void whatIsWithdrawnNeverBegins() {
    FairQueue queue = limited(new Limits(10, 0));
    AtomicInteger begun = new AtomicInteger();
    LimitedIo io = begun::incrementAndGet;
    while (queues.offer(queue, () -> {}, BLOCK, false) == Outcome.BEGIN) {}
    assertThat(queues.offer(queue, io, BLOCK, false)).isEqualTo(Outcome.WAIT);

    assertThat(queues.withdraw(queue, io)).isTrue();
    assertThat(queues.withdraw(queue, io)).isFalse();
    alarm.advanceMillis(60_000);

    assertThat(begun).hasValue(0);
    assertThat(queues.waiting(queue)).isZero();
  }

  @Test
  void higherLimitCountsAtOnceForWhatWaits() {
    FairQueue queue = limited(new Limits(10, 0));
    Flood flood = new Flood(queue, BLOCK, 128);
    alarm.advanceMillis(1000);
    assertThat(flood.begun).isLessThan(12);
    int before = flood.begun;

    queues.configure(queue, new Limits(1000, 0), 100, null);
    alarm.advanceMillis(1000);

    assertThat(flood.begun - before).isCloseTo(1000, within(50));
  }

  @Test
  void limitTakenAwayLetsEverythingGoInOrder() {
    FairQueue queue = limited(new Limits(10, 0));
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      if (queues.offer(queue, () -> order.add(number), BLOCK, false) == Outcome.BEGIN) {
        order.add(number);
      }
    }

    queues.configure(queue, Limits.NONE, 100, null);

    assertThat(order).hasSize(100).isSorted();
    assertThat(queues.waiting(queue)).isZero();
  }

  @Test
  void settingsAreLookedAtWhileSomethingWaits() {
    AtomicInteger looks = new AtomicInteger();
    FairQueue queue = queues.queue(looks::incrementAndGet);
    queues.configure(queue, new Limits(10, 0), 100, null);
    alarm.advanceMillis(1000);
    assertThat(looks).hasValue(0);

    new Flood(queue, BLOCK, 8);
    alarm.advanceMillis(1000);

    assertThat(looks.get()).isBetween(9, 1000);
  }

  @Test
  void nothingIsArmedWhenNothingWaits() {
    FairQueue queue = limited(new Limits(100, 0));
    for (int i = 0; i < 50; i++) {
      queues.offer(queue, () -> {}, BLOCK, false);
    }
    alarm.advanceMillis(5000);

    assertThat(queues.waiting(queue)).isZero();
    assertThat(alarm.armed()).isZero();
  }

  @Test
  void firstOfTheQueueIsServedBeforeTheOthers() {
    FairQueue queue = limited(new Limits(10, 0));
    List<String> order = new ArrayList<>();
    while (queues.offer(queue, () -> order.add("early"), BLOCK, false) == Outcome.BEGIN) {}
    queues.offer(queue, () -> order.add("head"), BLOCK, true);

    alarm.advanceMillis(1000);

    assertThat(order).containsExactly("head", "early");
  }

  private FairQueue limited(Limits limits) {
    FairQueue queue = queues.queue(() -> {});
    queues.configure(queue, limits, 100, null);
    return queue;
  }

  private FairQueue member(FairQueues.Group group, int weight) {
    FairQueue queue = queues.queue(() -> {});
    queues.configure(queue, Limits.NONE, weight, group);
    return queue;
  }

  /// An initiator that keeps so many I/Os outstanding; each ends as soon as it begins.
  private final class Flood {
    private final FairQueue queue;
    private final int size;
    private int begun;

    Flood(FairQueue queue, int size, int depth) {
      this.queue = queue;
      this.size = size;
      for (int i = 0; i < depth; i++) {
        send();
      }
    }

    long bytes() {
      return (long) begun * size;
    }

    private void send() {
      while (queues.offer(queue, this::waited, size, false) == Outcome.BEGIN) {
        begun++;
      }
    }

    private void waited() {
      begun++;
      send();
    }
  }
}
