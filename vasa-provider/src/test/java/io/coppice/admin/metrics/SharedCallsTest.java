package io.coppice.admin.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.thread.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that readers of metrics share.
@Timeout(60)
class SharedCallsTest {

  private static final int MANY = 20_000;

  private final AtomicInteger made = new AtomicInteger();

  @Test
  void whoeverComesAfterTheEndOfACallGetsANewResult() {
    SharedCalls<String, Integer> calls = new SharedCalls<>(Duration.ofSeconds(30), 1);

    for (int i = 1; i <= MANY; i++) {
      assertThat(calls.call("one", made::incrementAndGet)).isEqualTo(i);
    }
  }

  @Test
  void aCallThatDoesNotEndIsNotMadeASecondTime() {
    SharedCalls<String, Integer> calls = new SharedCalls<>(Duration.ofMillis(50), 1);
    CountDownLatch end = new CountDownLatch(1);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> calls.call("one", () -> hang(end)))
          .isInstanceOf(SharedCalls.OverdueException.class);
    }
    assertThatThrownBy(() -> calls.call("other", made::incrementAndGet))
        .isInstanceOf(SharedCalls.OverdueException.class)
        .hasMessageContaining("at most 1 calls");

    assertThat(made).hasValue(1);
    end.countDown();
  }

  /// Goes on although it is interrupted.
  private int hang(CountDownLatch end) {
    int number = made.incrementAndGet();
    Uninterrupted.await(end::await);
    return number;
  }
}
