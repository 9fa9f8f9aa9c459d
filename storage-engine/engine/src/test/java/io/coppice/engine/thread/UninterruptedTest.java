package io.coppice.engine.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UninterruptedTest {

  private final CountDownLatch waits = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Test
  void anInterruptDoesNotEndItAndIsKept() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  Uninterrupted.await(
                      () -> {
                        waits.countDown();
                        goOn.await();
                      });
                  if (goOn.getCount() == 0 && Thread.currentThread().isInterrupted()) {
                    interrupted.countDown();
                  }
                });
    waits.await();
    waiter.interrupt();
    while (waiter.isInterrupted()) {
      Thread.onSpinWait(); // until the interrupt was met
    }
    goOn.countDown();
    waiter.join();

    assertThat(interrupted.getCount()).as("waited on, and is interrupted").isZero();
  }

  @Test
  void whoWasInterruptedBeforeWaitsForAThreadAllTheSame() {
    Thread other = Thread.ofPlatform().start(() -> Uninterrupted.await(goOn::await));
    Thread.currentThread().interrupt();
    Thread.ofPlatform().start(goOn::countDown);

    Uninterrupted.join(other);

    assertThat(other.isAlive()).isFalse();
    assertThat(Thread.interrupted()).as("kept").isTrue();
  }

  @Test
  void withoutAnInterruptNoneIsLeft() {
    Uninterrupted.join(Thread.ofPlatform().unstarted(() -> {}));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
