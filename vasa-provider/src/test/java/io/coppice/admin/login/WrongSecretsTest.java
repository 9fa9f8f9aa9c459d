package io.coppice.admin.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.testing.TestClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The back-off after wrong passwords and tokens.
class WrongSecretsTest {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final TestClock clock = new TestClock();
  private final WrongSecrets guesses =
      new WrongSecrets(
          new LoginSettings(Duration.ofMinutes(30), Duration.ofHours(12), 10, 2, LONGEST), clock);

  private boolean isLookedAt(String from, String name) {
    try {
      guesses.begin(from, name);
      return true;
    } catch (RequestRejectedException e) {
      return false;
    }
  }

  private Duration waitOf(String from, String name) {
    try {
      guesses.begin(from, name);
      return Duration.ZERO;
    } catch (RequestRejectedException e) {
      return Objects.requireNonNull(e.patience().orElse(null));
    }
  }

  @Test
  void whatNobodyCouldDecideIsNoMistakeAndForgivesNone() {
    for (int i = 1; i < WrongSecrets.FREE_OF_PAIR; i++) {
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    }
    for (int i = 0; i < 2 * WrongSecrets.ATTACKED; i++) {
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
      guesses.undecided("192.0.2.1", "anna");
    }

    assertThat(guesses.wrongPasswords()).isEqualTo(WrongSecrets.FREE_OF_PAIR - 1);
    assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    assertThat(isLookedAt("192.0.2.1", "anna")).isFalse();
  }

  @Test
  void waitsDoubleUpToTheLongest() {
    for (int i = 0; i < WrongSecrets.FREE_OF_PAIR; i++) {
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    }
    long expected = 1;
    for (int i = 0; i < 12; i++) {
      Duration wait = waitOf("192.0.2.1", "anna");
      assertThat(wait).isEqualTo(Duration.ofSeconds(Math.min(expected, LONGEST.toSeconds())));
      clock.advance(wait.minusNanos(1000));
      assertThat(isLookedAt("192.0.2.1", "anna")).isFalse();
      clock.advance(Duration.ofNanos(1000));
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
      expected *= 2;
    }
  }

  @Test
  void tenThousandGuessesFromOneAddressLeaveTheOwnerHisWayIn() {
    int looked = 0;
    for (int i = 0; i < 10_000; i++) {
      looked += isLookedAt("192.0.2.1", "anna") ? 1 : 0;
      clock.advance(Duration.ofMillis(100));
    }

    assertThat(looked).isLessThan(20);
    assertThat(guesses.unlooked()).isEqualTo(10_000 - looked);
    assertThat(isLookedAt("192.0.2.2", "anna")).as("the owner at another address").isTrue();
    guesses.right("192.0.2.2", "anna");
    assertThat(isLookedAt("192.0.2.2", "anna")).isTrue();
  }

  @Test
  void guessesFromManyAddressesNeverKeepTheOwnerOut() {
    for (int i = 0; i < 30_000; i++) {
      isLookedAt("198.51.%d.%d".formatted(i / 250 % 250, i % 250), "anna");
    }

    assertThat(isLookedAt("192.0.2.2", "anna")).isTrue();
    guesses.right("192.0.2.2", "anna");
  }

  @Test
  void anAccountThatIsGuessedFromEverywhereMakesGuessersWaitLonger() {
    for (int i = 0; i < WrongSecrets.ATTACKED; i++) {
      isLookedAt("198.51.100." + i, "anna");
    }
    for (int i = 0; i < WrongSecrets.FREE_OF_PAIR; i++) {
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    }

    assertThat(waitOf("192.0.2.1", "anna")).isEqualTo(Duration.ofSeconds(32));
  }

  @Test
  void anAddressThatTriesManyNamesWaitsButNotThoseWhoLoggedInThere() {
    guesses.begin("192.0.2.1", "anna");
    guesses.right("192.0.2.1", "Anna");
    for (int i = 0; i < WrongSecrets.FREE_OF_ADDRESS; i++) {
      assertThat(isLookedAt("192.0.2.1", "name-" + i)).isTrue();
    }

    assertThat(isLookedAt("192.0.2.1", "another")).isFalse();
    assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    assertThatThrownBy(() -> guesses.requirePatience("192.0.2.1"))
        .isInstanceOf(RequestRejectedException.class);
  }

  @Test
  void manyAtOnceGainNothing() throws InterruptedException {
    AtomicInteger looked = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1000; i++) {
        threads.submit(
            () -> {
              if (isLookedAt("192.0.2.1", "anna")) {
                looked.incrementAndGet();
              }
            });
      }
    }

    assertThat(looked).hasValue(WrongSecrets.FREE_OF_PAIR);
  }

  @Test
  void aNetworkOfVersionSixIsOneAddressAndCaseIsOneName() {
    assertThat(isLookedAt("2001:db8::1", "anna")).isTrue();
    assertThat(isLookedAt("2001:db8::2", "ANNA")).isTrue();
    assertThat(isLookedAt("2001:db8:0:0:ffff::3", "anna")).isTrue();

    assertThat(isLookedAt("2001:db8::4", "Anna")).isFalse();
    assertThat(isLookedAt("2001:db8:0:1::4", "anna")).isTrue();
  }

  @Test
  void nothingIsRememberedAfterAQuarterOfAnHourNorOfATimeToCome() {
    for (int i = 0; i < WrongSecrets.FREE_OF_PAIR; i++) {
      isLookedAt("192.0.2.1", "anna");
    }
    assertThat(isLookedAt("192.0.2.1", "anna")).isFalse();
    clock.jump(Duration.ofDays(-365));
    assertThat(isLookedAt("192.0.2.1", "anna")).as("after the clock was set back").isTrue();
    clock.jump(Duration.ofDays(365).plus(Duration.ofMinutes(15)));
    for (int i = 0; i < WrongSecrets.FREE_OF_PAIR; i++) {
      assertThat(isLookedAt("192.0.2.1", "anna")).isTrue();
    }
  }

  @Test
  void aRightPasswordIsNotCounted() {
    for (int i = 0; i < 100; i++) {
      guesses.begin("192.0.2.1", "anna");
      guesses.right("192.0.2.1", "anna");
    }

    assertThat(guesses.wrongPasswords()).isZero();
    assertThat(isLookedAt("192.0.2.1", "berta")).isTrue();
    assertThat(guesses.wrongPasswords()).isEqualTo(1);
  }
}
