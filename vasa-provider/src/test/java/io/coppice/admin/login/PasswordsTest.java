package io.coppice.admin.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.problem.RequestRejectedException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// The hashes of passwords, and the bound on their work.
class PasswordsTest {

  private static final Passwords passwords = passwords(10);

  private static Passwords passwords(int cost) {
    return new Passwords(
        new LoginSettings(
            Duration.ofMinutes(30), Duration.ofHours(12), cost, 2, Duration.ofMinutes(5)));
  }

  @Test
  void onlyTheWholeTextMatches() {
    String hash = passwords.hash("password", "twelve-chars");

    assertThat(passwords.matches("twelve-chars", hash)).isTrue();
    assertThat(passwords.matches("twelve-chars ", hash)).isFalse();
    // what bcrypt itself would take for the same
    assertThat(passwords.matches("twelve-chars\0twelve-chars", hash)).isFalse();
    String longest = "x".repeat(72);
    String ofLongest = passwords.hash("password", longest);
    assertThat(passwords.matches(longest, ofLongest)).isTrue();
    assertThat(passwords.matches(longest + "y", ofLongest)).isFalse();
    assertThat(passwords.matches("x".repeat(12), null)).isFalse();
    assertThat(passwords.matches("no password: too short for one", null)).isFalse();
  }

  @Test
  void aHashOfAnotherCostIsToBeReplaced() {
    String hash = passwords.hash("password", "twelve-chars");

    assertThat(passwords.isOutdated(hash)).isFalse();
    assertThat(passwords(11).isOutdated(hash)).isTrue();
    assertThat(passwords(11).matches("twelve-chars", hash)).isTrue();
  }

  @Test
  void tooMuchWorkIsRefusedAfterAMoment() throws Exception {
    BoundedChecks checks = new BoundedChecks(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> first =
          threads.submit(
              () ->
                  checks.call(
                      () -> {
                        begun.countDown();
                        return await(end);
                      }));
      begun.await();

      assertThatThrownBy(() -> checks.call(() -> true))
          .isInstanceOf(RequestRejectedException.class)
          .hasMessageContaining("too many passwords");

      end.countDown();
      assertThat(first.get()).isTrue();
      assertThat(checks.call(() -> true)).isTrue();
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
