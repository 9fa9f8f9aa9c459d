package io.coppice.scsi.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StripedCountsTest {

  @Test
  void countsThatNobodyAddedToAreZero() {
    assertThat(new StripedCounts(2).sum(1)).isZero();
  }

  @Test
  void noAdditionOfManyThreadsIsLost() throws InterruptedException {
    StripedCounts counts = new StripedCounts(3);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) { // more than there are stripes
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 1000; round++) {
                      StripedCounts.Stripe mine = counts.stripe();
                      mine.add(0, 1);
                      mine.add(2, 5);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(counts.sum(0)).isEqualTo(100_000);
    assertThat(counts.sum(1)).isZero();
    assertThat(counts.sum(2)).isEqualTo(500_000);
  }
}
