package io.coppice.vasa.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Passwords that are guessed: beyond those that wait for their answer none is looked at.
class LoginGuardTest {

  private static final String PASSWORD = "the right one";
  private static final Duration DELAY = Duration.ofSeconds(30);

  private final Logger logger = (Logger) LoggerFactory.getLogger(LoginGuard.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final List<Thread> guesses = new ArrayList<>();
  private final LoginGuard guard =
      new LoginGuard(
          "vasa",
          () -> PASSWORD,
          new SessionLimits(
              Duration.ofMinutes(30),
              Duration.ofHours(1),
              1,
              1,
              1,
              1,
              1,
              1,
              1,
              DELAY,
              Duration.ZERO),
          () -> Instant.EPOCH);

  @BeforeEach
  void listen() {
    // Reading settings, as other tests do, silences the log of a process.
    logger.getLoggerContext().resetTurboFilterList();
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void end() throws InterruptedException {
    logger.detachAppender(logged);
    for (Thread guess : guesses) {
      guess.interrupt();
      guess.join();
    }
  }

  @Test
  void aRightPasswordIsTakenAtOnce() {
    assertThatCode(() -> guard.check("vasa", PASSWORD, "10.0.0.1")).doesNotThrowAnyException();
  }

  @Test
  void whileAGuessWaitsTheNextOfItsAddressIsNotLookedAt() {
    guess("10.0.0.1");

    assertThat(faultOf(PASSWORD, "10.0.0.1")).isInstanceOf(Fault.VasaProviderBusy.class);

    assertThatCode(() -> guard.check("vasa", PASSWORD, "10.0.0.2")).doesNotThrowAnyException();
  }

  @Test
  void theGuessesOfOneNetworkOfAddressesAreThoseOfOneGuesser() {
    guess("2001:db8:0:1::1");

    assertThat(faultOf("wrong", "2001:db8:0:1::2")).isInstanceOf(Fault.VasaProviderBusy.class);
  }

  @Test
  void beyondEightGuessesThatWaitNoPasswordIsLookedAtRightOrWrong() {
    for (int i = 1; i <= 8; i++) {
      guess("10.0.0." + i);
    }

    assertThat(faultOf("wrong", "10.0.1.1")).isInstanceOf(Fault.VasaProviderBusy.class);
    assertThat(faultOf(PASSWORD, "10.0.1.2")).isInstanceOf(Fault.VasaProviderBusy.class);
  }

  @Test
  void whatIsNotLookedAtIsLoggedOnceAMinuteAndCounted() {
    guess("10.0.0.1");
    int before = logged.list.size();

    for (int i = 0; i < 100; i++) {
      faultOf("wrong", "10.0.0.1");
    }

    assertThat(logged.list).hasSize(before + 1);
    assertThat(guard.refused()).isEqualTo(101);
  }

  private Fault faultOf(String password, String address) {
    return catchThrowableOfType(VasaException.class, () -> guard.check("vasa", password, address))
        .fault();
  }

  /// A wrong password, in a thread of its own; returns when it waits for its answer.
  private void guess(String address) {
    long before = guard.refused();
    Thread thread = Thread.ofVirtual().start(() -> faultOf("wrong", address));
    guesses.add(thread);
    while (guard.refused() == before || thread.getState() != Thread.State.TIMED_WAITING) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
