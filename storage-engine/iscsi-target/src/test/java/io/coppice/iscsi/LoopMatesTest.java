package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopMatesTest {

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // it may overflow
  private final LoopMates mates = new LoopMates(clock::get);

  @Test
  void onlyAConnectionThatIsAloneLendsTheLoop() {
    assertThat(mates.mayLend()).isFalse();
    mates.joined();
    assertThat(mates.mayLend()).isTrue();
    mates.joined();
    assertThat(mates.mayLend()).isFalse();
    mates.left();
    assertThat(mates.mayLend()).isTrue();
  }

  @Test
  void aSlowTransferEndsLendingForASecond() {
    mates.joined();
    transfer(TimeUnit.MILLISECONDS.toNanos(2));
    assertThat(mates.mayLend()).isTrue();

    transfer(TimeUnit.MILLISECONDS.toNanos(2) + 1);
    assertThat(mates.mayLend()).isFalse();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
    assertThat(mates.mayLend()).isFalse();
    clock.addAndGet(1);
    assertThat(mates.mayLend()).isTrue();
  }

  private void transfer(long nanos) {
    long start = mates.now();
    clock.addAndGet(nanos);
    mates.lentSince(start);
  }
}
