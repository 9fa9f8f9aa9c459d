package io.coppice.vasa.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Work at intervals, and its end.
class IntervalThreadTest {

  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void closingWaitsForWorkThatRunsAndBeginsNoOther() throws Exception {
    CountDownLatch third = new CountDownLatch(3);
    AtomicBoolean inside = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    IntervalThread thread =
        new IntervalThread(
            "test",
            PAUSE,
            () -> {
              inside.set(true);
              rounds.incrementAndGet();
              third.countDown();
              Thread.yield();
              inside.set(false);
            });

    thread.start();
    assertThat(third.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.isRunning()).isTrue();
    thread.close();

    assertThat(thread.isRunning()).isFalse();
    assertThat(inside).isFalse();
    int last = rounds.get();
    Thread.sleep(PAUSE.multipliedBy(20));
    assertThat(rounds).hasValue(last);
  }

  @Test
  void oneThatWasClosedDoesNoWorkIfItIsStarted() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    IntervalThread thread = new IntervalThread("test", PAUSE, rounds::incrementAndGet);

    thread.close();
    thread.start();
    Thread.sleep(PAUSE.multipliedBy(20));
    thread.close();

    assertThat(rounds).hasValue(0);
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    CountDownLatch end = new CountDownLatch(1);
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    end.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });

    Thread.currentThread().interrupt();
    IntervalThread.awaitEnd(waiting, Duration.ofMinutes(5));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(waiting.isAlive()).isTrue();
    end.countDown();
  }
}
