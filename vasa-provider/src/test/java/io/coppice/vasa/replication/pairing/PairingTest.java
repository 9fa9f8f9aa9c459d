package io.coppice.vasa.replication.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.replication.PoolName;
import io.coppice.replication.link.LinkListener;
import io.coppice.replication.link.SecureTransport;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two pools that are paired, in one process: the call between them is a method.
@Timeout(120)
class PairingTest {

  private static final X509Certificate SERVER = server("a");
  private static final X509Certificate OTHER_SERVER = server("other");

  private final AtomicLong nanos = new AtomicLong();
  private final InstantSource clock = InstantSource.fixed(Instant.now());
  private final PoolRecords recordsOfA = new MemoryEngine().records();
  private final PoolRecords recordsOfB = new MemoryEngine().records();
  private final Pairing a = pairing("a", recordsOfA, nobody());
  private final Pairing b = pairing("b", recordsOfB, reaching(a, SERVER, it -> it));

  private static X509Certificate server(String name) {
    return Issuer.create(name, Instant.now(), Duration.ofDays(1)).served().leaf();
  }

  private static UUID id(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  private Pairing pairing(String name, PoolRecords records, PairingCalls calls) {
    return new Pairing(
        new Pairing.Site(new PoolName(id(name), name), () -> name + ":9444", () -> SERVER),
        new PeerRecords(records, SecretBox.of(new byte[SecretBox.KEY_BYTES])),
        calls,
        _ -> {},
        clock,
        nanos::get);
  }

  private static PairingCalls nobody() {
    return (address, _) -> {
      throw VasaException.invalidArgument("nobody is at " + address);
    };
  }

  /// Calls that reach a pool, over a server with this certificate.
  private static PairingCalls reaching(
      Pairing pool, X509Certificate server, UnaryOperator<PairingMessages.Answer> changed) {
    return (_, asking) ->
        new PairingCalls.Answered(changed.apply(pool.answer(asking.by(server))), server);
  }

  // ---- pairing

  @Test
  void eachKnowsTheOther() {
    KnownPeer peer = b.accept("a:9443", a.offer().toLowerCase(Locale.ROOT).replace('-', ' '));

    assertThat(peer.pool()).isEqualTo(new PoolName(id("a"), "a"));
    assertThat(peer.address()).isEqualTo("a:9444");
    assertThat(a.peers())
        .singleElement()
        .extracting(KnownPeer::pool)
        .isEqualTo(new PoolName(id("b"), "b"));
    assertThat(a.peer(id("b")).address()).isEqualTo("b:9444");
    assertThat(a.paired(id("b")).issuer()).isNotNull();
    assertThat(b.paired(id("a")).issuer()).as("only one end holds the authority").isNull();
    assertThat(b.paired(id("a")).authority()).isEqualTo(a.paired(id("b")).authority());
  }

  @Test
  void recordsHoldNoReadableKey() {
    b.accept("a:9443", a.offer());

    assertThat(recordsOfA.withPrefix("replication/").values())
        .noneMatch(value -> value.contains("PRIVATE KEY"));
    assertThat(pairing("b", recordsOfB, nobody()).paired(id("a")).own().leaf())
        .as("after a restart")
        .isEqualTo(b.paired(id("a")).own().leaf());
  }

  @Test
  void pairingAgainReplacesThePeer() {
    b.accept("a:9443", a.offer());
    X509Certificate before = b.paired(id("a")).authority();
    b.accept("a:9443", a.offer());

    assertThat(b.peers()).hasSize(1);
    assertThat(b.paired(id("a")).authority()).isNotEqualTo(before);
  }

  @Test
  void endedPairingIsForgotten() {
    b.accept("a:9443", a.offer());
    b.end(id("a"));

    assertThat(b.peers()).isEmpty();
    assertThatThrownBy(() -> b.end(id("a")))
        .isInstanceOfSatisfying(
            VasaException.class, e -> assertThat(e.fault()).isEqualTo(new Fault.NotFound()));
  }

  @Test
  void peerWithoutTheKeyIsKnownAndNothingElse() {
    b.accept("a:9443", a.offer());
    String why = "There is no key of the CHAP secrets at /srv/chap.key.";
    Pairing locked =
        new Pairing(
            new Pairing.Site(new PoolName(id("b"), "b"), () -> "b:9444", () -> SERVER),
            new PeerRecords(recordsOfB, SecretBox.locked(why)),
            nobody(),
            _ -> {},
            clock,
            nanos::get);

    KnownPeer peer = locked.peer(id("a"));
    assertThat(peer.pool().name()).isEqualTo("a");
    assertThat(peer.address()).isEqualTo("a:9444");
    assertThat(peer.certificateExpires()).isNull();
    assertThat(peer.obstacle()).isEqualTo(why);
    assertThat(locked.peers()).containsExactly(peer);
    for (Runnable call :
        List.<Runnable>of(
            locked::offer,
            () -> locked.accept("a:9443", a.offer()),
            () -> locked.move(id("a"), "c:9444"))) {
      assertThatThrownBy(call::run).isInstanceOf(SecretsLockedException.class).hasMessage(why);
    }

    locked.end(id("a"));

    assertThat(locked.peers()).isEmpty();
  }

  // ---- what is refused

  private static void refused(Runnable call, Fault fault) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(VasaException.class, e -> assertThat(e.fault()).isEqualTo(fault));
  }

  @Test
  void codeServesOnce() {
    String code = a.offer();
    b.accept("a:9443", code);

    refused(() -> b.accept("a:9443", code), new Fault.InvalidLogin());
  }

  @Test
  void codeEndsInTime() {
    String code = a.offer();
    nanos.addAndGet(Pairing.VALIDITY.toNanos());

    refused(() -> b.accept("a:9443", code), new Fault.InvalidLogin());
    assertThat(a.peers()).isEmpty();
  }

  @Test
  void wrongCodesEndTheRightOne() {
    String code = a.offer();
    for (int i = 0; i < 10; i++) {
      refused(() -> b.accept("a:9443", PairingCode.random().shown()), new Fault.InvalidLogin());
    }

    refused(() -> b.accept("a:9443", code), new Fault.InvalidLogin());
  }

  @Test
  void codesThatWaitAreFew() {
    for (int i = 0; i < 8; i++) {
      a.offer();
    }
    refused(a::offer, new Fault.InvalidArgument());
    nanos.addAndGet(Pairing.VALIDITY.toNanos());
    assertThat(a.offer()).hasSize(23);
  }

  @Test
  void codeOfAnotherFormIsRefusedWithoutBeingRepeated() {
    for (String typed :
        List.of("", "12345", "0A1B2-C3D4E-5F6G7-H8J9!", "0A1B2-C3D4E-5F6G7-H8J9KK")) {
      assertThatThrownBy(() -> b.accept("a:9443", typed))
          .isInstanceOf(VasaException.class)
          .hasMessageStartingWith("expected a code of 20 letters and digits")
          .satisfies(e -> assertThat(typed.isEmpty() || !e.getMessage().endsWith(typed)).isTrue());
    }
  }

  @Test
  void somebodyInBetweenIsNoticed() {
    // He shows a certificate of his own, and passes on what he hears.
    Pairing tapped = pairing("b", recordsOfB, reaching(a, OTHER_SERVER, it -> it));
    refused(() -> tapped.accept("a:9443", a.offer()), new Fault.InvalidLogin());
    assertThat(recordsOfB.withPrefix("replication/")).isEmpty();
    assertThat(a.peers()).isEmpty();
  }

  @Test
  void changedAnswerIsNoticed() {
    Pairing tapped =
        pairing(
            "b",
            recordsOfB,
            reaching(
                a,
                SERVER,
                it ->
                    new PairingMessages.Answer(
                        it.pool(),
                        it.name(),
                        "elsewhere:1",
                        it.authority(),
                        it.certificate(),
                        it.proof())));
    refused(() -> tapped.accept("a:9443", a.offer()), new Fault.InvalidLogin());
    assertThat(tapped.peers()).isEmpty();
  }

  @Test
  void poolIsNotPairedWithItself() {
    Pairing self = pairing("a", recordsOfB, reaching(a, SERVER, it -> it));
    refused(() -> self.accept("a:9443", a.offer()), new Fault.InvalidArgument());
    assertThat(a.peers()).isEmpty();
  }

  // ---- links with what was agreed on

  private final Queue<String> served = new ConcurrentLinkedQueue<>();

  private static List<PairedPool> paired(Pairing pool) {
    return pool.peers().stream().map(peer -> pool.paired(peer.pool().id())).toList();
  }

  private LinkListener listen(Pairing pool) throws IOException {
    return new LinkListener(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        () -> LinkTrust.with(paired(pool)),
        8,
        new LinkListener.Server() {
          @Override
          public void serve(SecureTransport transport) {
            try {
              X509Certificate shown = transport.peer();
              paired(pool).stream()
                  .filter(peer -> LinkTrust.isOf(shown, peer))
                  .forEach(peer -> served.add(peer.pool().name()));
            } catch (IOException e) {
              served.add(String.valueOf(e.getMessage()));
            }
          }

          @Override
          public void refused(String from, IOException reason) {
            served.add("refused");
          }
        });
  }

  private static SecureTransport connect(LinkListener listener, Pairing from, UUID to, UUID self)
      throws IOException {
    PairedPool peer = from.paired(to);
    SSLContext context = LinkTrust.with(List.of(peer));
    SecureTransport transport =
        SecureTransport.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
            context,
            LinkTrust.nameOf(self),
            Duration.ofSeconds(10));
    assertThat(LinkTrust.isOf(transport.peer(), peer)).isTrue();
    return transport;
  }

  @Test
  void pairedPoolsTrustEachOtherAndNobodyElse() throws Exception {
    Pairing c = pairing("c", new MemoryEngine().records(), reaching(a, SERVER, it -> it));
    b.accept("a:9443", a.offer());
    c.accept("a:9443", a.offer());
    try (LinkListener listener = listen(a)) {
      connect(listener, b, id("a"), id("b")).close();
      connect(listener, c, id("a"), id("c")).close();
      Await.until("both", () -> served.containsAll(List.of("b", "c")));

      served.clear();
      a.end(id("c"));
      assertThatThrownBy(() -> connect(listener, c, id("a"), id("c")))
          .isInstanceOf(IOException.class);
      Await.until("the refusal", () -> served.contains("refused"));
      // Under the name of another pool the certificate is the wrong one.
      assertThatThrownBy(() -> connect(listener, c, id("a"), id("b")))
          .isInstanceOf(IOException.class);
    }
    try (LinkListener listener = listen(b)) {
      connect(listener, a, id("b"), id("a")).close();
      Await.until("the other direction", () -> served.contains("a"));
    }
  }
}
