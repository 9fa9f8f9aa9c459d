package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.TestClock;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What a start says while it waits.
class StartupProgressTest {

  private final TestClock clock = new TestClock();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final StartupProgress stages =
      new StartupProgress(
          new PrintStream(said, true, StandardCharsets.UTF_8), clock, clock.instant());

  private List<String> lines() {
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private void secondsPass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.advance(Duration.ofSeconds(1));
      stages.look();
    }
  }

  @Test
  void saysEveryTwoSecondsWhatIsAwaitedAndHowFarItIs() {
    try (var _ = stages.await("the database");
        var _ = stages.await("rows", () -> "1,200 of 10,000 volumes")) {
      secondsPass(5);
    }

    assertThat(lines())
        .containsExactly(
            "coppice:    2.00 s  waiting for rows (1,200 of 10,000 volumes), 2 s so far",
            "coppice:    4.00 s  waiting for rows (1,200 of 10,000 volumes), 4 s so far");
  }

  @Test
  void whatWasAwaitedLongerIsSaidWhenTheInnerWaitEnds() {
    try (var _ = stages.await("the services")) {
      stages.await("the pool").close();
      secondsPass(2);
    }

    assertThat(lines()).containsExactly("coppice:    2.00 s  waiting for the services, 2 s so far");
  }

  @Test
  void saysNothingWhileLinesComeAnyhowOrNothingIsAwaited() {
    try (var _ = stages.await("the services")) {
      secondsPass(1);
      stages.reached("half of it");
      secondsPass(1);
    }
    secondsPass(10);

    assertThat(lines()).containsExactly("coppice:    1.00 s  half of it");
  }

  @Test
  void waitOfTenMinutesIsSaidOnceAMinute() {
    try (var _ = stages.await("the database")) {
      secondsPass(600);
      int before = lines().size();
      secondsPass(300);

      assertThat(before).isEqualTo(299);
      assertThat(lines().size() - before).isEqualTo(5);
    }
  }

  /// Of an unmoved clock nobody would ever say anything: this is the real one.
  @Test
  void waitIsWatchedWithoutAnybodyLooking() throws InterruptedException {
    var line = new CountDownLatch(1);
    var out =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) {
                if (b == '\n') {
                  line.countDown();
                }
              }
            },
            true,
            StandardCharsets.UTF_8);
    InstantSource real = InstantSource.system();
    var watched = new StartupProgress(out, real, real.instant());

    try (var _ = watched.await("a line")) {
      line.await();
    }
  }
}
