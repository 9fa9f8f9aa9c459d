package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.PersistentReserve.EXCLUSIVE_ACCESS;
import static io.coppice.scsi.PersistentReserve.IGNORE;
import static io.coppice.scsi.PersistentReserve.PREEMPT_AND_ABORT;
import static io.coppice.scsi.PersistentReserve.RESERVE;
import static io.coppice.scsi.PersistentReserve.assertGood;
import static io.coppice.scsi.PersistentReserve.out;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.transport.ScsiStatus;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A host that takes a unit over with PREEMPT AND ABORT never finds the other's writes afterwards.
class FencingTest {

  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final int ROUNDS = 200;

  @Test
  void whoIsPreemptedWritesNothingAfterwards() throws Exception {
    try (Fixture fixture = new Fixture()) {
      fixture.exported(1 << 20);
      Initiator old = fixture.plain();
      Initiator next = new Initiator(fixture.target.plain(), OTHER);
      next.settle(LUN_0);
      for (int round = 0; round < ROUNDS; round++) {
        old.settle(LUN_0);
        next.settle(LUN_0);
        takeOver(round, old, next);
        Initiator other = old;
        old = next;
        next = other;
      }
    }
  }

  /// `old` writes without pause, from two threads, while `next` takes the unit over.
  private static void takeOver(int round, Initiator old, Initiator next) throws Exception {
    assertGood(out(old, IGNORE, 0, 0, 1));
    assertGood(out(next, IGNORE, 0, 0, 2));
    if (round == 0) {
      assertGood(out(old, RESERVE, EXCLUSIVE_ACCESS, 1, 0));
    }
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    CountDownLatch writing = new CountDownLatch(2);
    Runnable writer =
        () -> {
          byte[] block = block(0x11);
          while (!stop.get()) {
            if (old.send(LUN_0, WRITE, block).status() == ScsiStatus.GOOD) {
              written.incrementAndGet();
            }
            writing.countDown();
          }
        };
    Thread[] writers = {Thread.ofPlatform().start(writer), Thread.ofPlatform().start(writer)};
    try {
      assertThat(writing.await(10, TimeUnit.SECONDS)).isTrue();
      assertGood(out(next, PREEMPT_AND_ABORT, EXCLUSIVE_ACCESS, 2, 1));
      int before = written.get();
      assertGood(next.send(LUN_0, WRITE, block(0x22)));
      for (int i = 0; i < 20; i++) {
        assertThat(next.send(LUN_0, READ).data()).as("round %d", round).isEqualTo(block(0x22));
      }
      assertThat(before).as("the old host wrote until then, round %d", round).isPositive();
    } finally {
      stop.set(true);
      for (Thread thread : writers) {
        thread.join(10_000);
      }
    }
    assertThat(next.send(LUN_0, READ).data()).as("round %d", round).isEqualTo(block(0x22));
  }

  private static byte[] block(int value) {
    byte[] block = new byte[512];
    Arrays.fill(block, (byte) value);
    return block;
  }
}
