package io.coppice.vasa.replication.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.testing.MemoryEngine;
import io.coppice.replication.PoolName;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.fault.VasaException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names and addresses that a pool says of itself: none harms the records of another one.
class PeerTextTest {

  private static final X509Certificate SERVER =
      Issuer.create("a", Instant.now(), Duration.ofDays(1)).served().leaf();

  private final Pairing a = pairing(new PoolName(UUID.randomUUID(), "a"), "a:9444", null);

  private static Pairing pairing(PoolName pool, String links, Pairing other) {
    return new Pairing(
        new Pairing.Site(pool, () -> links, () -> SERVER),
        new PeerRecords(new MemoryEngine().records(), SecretBox.of(new byte[SecretBox.KEY_BYTES])),
        (_, asking) -> new PairingCalls.Answered(other.answer(asking.by(SERVER)), SERVER),
        _ -> {},
        Instant::now,
        System::nanoTime);
  }

  private void refusedAtBothEnds(String name, String links) {
    Pairing wrong = pairing(new PoolName(UUID.randomUUID(), name), links, a);
    assertThatThrownBy(() -> wrong.accept("a:9443", a.offer())).isInstanceOf(VasaException.class);
    Pairing b = pairing(new PoolName(UUID.randomUUID(), "b"), "b:9444", wrong);
    assertThatThrownBy(() -> b.accept("wrong:9443", wrong.offer()))
        .isInstanceOf(VasaException.class)
        .message()
        .hasSizeLessThan(500)
        .doesNotContain("\n");

    assertThat(a.peers()).isEmpty();
    assertThat(b.peers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "two\nlines", "a\r", "a\u0000", "\u001b[2J", "a\u2028b"})
  void nameThatIsNoLineIsRefused(String name) {
    refusedAtBothEnds(name, "b:9444");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "b",
        ":9444",
        "b:",
        "b:0",
        "b:65536",
        "b:9444\nc",
        "b\nc:9444",
        "b c:9444",
        "[]:9444",
        "fd00::1:9444",
        "https://b:9444",
        "u@b:9444",
        "b/c:9444"
      })
  void addressOfAnotherFormIsRefused(String address) {
    refusedAtBothEnds("b", address);

    UUID id = UUID.randomUUID();
    Pairing c = pairing(new PoolName(id, "c"), "c:9444", a);
    c.accept("a:9443", a.offer());
    assertThatThrownBy(() -> a.move(id, address)).isInstanceOf(VasaException.class);
    assertThat(a.peer(id).address()).isEqualTo("c:9444");
  }

  @Test
  void longAddressIsRefused() {
    refusedAtBothEnds("b", "b".repeat(4000) + ":9444");
  }

  @Test
  void peerMovesToAnyGoodAddress() {
    UUID id = UUID.randomUUID();
    pairing(new PoolName(id, "b"), "b:9444", a).accept("a:9443", a.offer());

    for (String address :
        List.of("10.0.0.1:1", "[fd00::1]:65535", "[fe80::1%eth0]:9444", "x.y:9")) {
      assertThat(a.move(id, address).address()).isEqualTo(address);
      assertThat(a.peers()).singleElement().extracting(KnownPeer::address).isEqualTo(address);
    }
    assertThat(PeerAddress.parse("[fd00::1]:9444").getPort()).isEqualTo(9444);
    assertThat(PeerAddress.parse("10.0.0.1:9444").getHostString()).isEqualTo("10.0.0.1");
  }
}
