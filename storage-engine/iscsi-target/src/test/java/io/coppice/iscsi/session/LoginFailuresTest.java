package io.coppice.iscsi.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.login.LoginNames;
import io.coppice.iscsi.login.LoginRefusal;
import io.coppice.scsi.transport.SessionOrigin;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The list of failed logins: what it merges, and what goes when it is full.
class LoginFailuresTest {

  private Instant now = Instant.parse("2026-11-01T12:00:00Z");
  private final LoginFailures failures = new LoginFailures(() -> now);

  private void fail(String address, String initiator) {
    failures.add(
        new SessionOrigin("192.0.2.10:3260", address),
        new LoginNames(Optional.of(initiator), Optional.empty()),
        LoginRefusal.UNKNOWN_TARGET);
  }

  @Test
  void anItemTellsOfTheFirstAndTheLastOfItsLogins() {
    fail("192.0.2.1:40000", "iqn.x:a");
    Instant first = now;
    now = now.plusSeconds(60);
    fail("192.0.2.1:40001", "iqn.x:a");

    assertThat(failures.all())
        .containsExactly(
            new LoginFailure(
                "192.0.2.1",
                "192.0.2.10:3260",
                new LoginNames(Optional.of("iqn.x:a"), Optional.empty()),
                LoginRefusal.UNKNOWN_TARGET,
                2,
                first,
                now));
  }

  @Test
  void addressesHaveNoPortAndNoBrackets() {
    fail("[fd00::1]:40000", "iqn.x:a");

    assertThat(failures.all().getFirst().address()).isEqualTo("fd00::1");
  }

  @Test
  void whoMakesUpNamesPushesOutItsOwn() {
    fail("192.0.2.1:40000", "iqn.x:honest");
    for (int i = 0; i < 5 * LoginFailures.MOST; i++) {
      fail("192.0.2.66:" + (1024 + i), "iqn.x:made-up-" + i);
    }

    assertThat(failures.all()).hasSize(LoginFailures.MOST);
    assertThat(failures.all().getFirst().names().initiator()).contains("iqn.x:honest");
    assertThat(failures.all().getLast().names().initiator()).contains("iqn.x:made-up-499");
  }
}
