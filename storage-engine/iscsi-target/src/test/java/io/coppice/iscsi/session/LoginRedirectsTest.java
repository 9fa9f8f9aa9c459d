package io.coppice.iscsi.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.connection.Portal;
import io.coppice.scsi.transport.InitiatorPort;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// Who is expected at which portal, and for how long.
class LoginRedirectsTest {

  private static final long MINUTE = 60_000_000_000L;

  private long now = Long.MAX_VALUE - MINUTE / 2; // it goes round at its end
  private final LoginRedirects homes = new LoginRedirects(() -> now);
  private final Portal home = new Portal(1, new InetSocketAddress("127.0.0.1", 3260), "", 1);

  private static LoginRedirects.NexusName nexus(long isid) {
    return new LoginRedirects.NexusName(
        new InitiatorPort("iqn.2026-11.example:host", isid), "iqn.x:target");
  }

  @Test
  void itIsToldOnce() {
    homes.expect(nexus(1), home);

    assertThat(homes.take(nexus(2))).isEmpty();
    assertThat(homes.take(nexus(1))).contains(home);
    assertThat(homes.take(nexus(1))).isEmpty();
  }

  @Test
  void afterAMinuteALoginIsOneOfItsOwn() {
    homes.expect(nexus(1), home);
    homes.expect(nexus(2), home);

    now += MINUTE;
    assertThat(homes.take(nexus(1))).contains(home);
    now++;
    assertThat(homes.take(nexus(2))).isEmpty();
  }

  @Test
  void manyAreBounded() {
    for (int i = 0; i < 100_000; i++) {
      homes.expect(nexus(i), home);
    }

    assertThat(homes.take(nexus(0))).isEmpty();
    assertThat(homes.take(nexus(99_999))).contains(home);
  }
}
