package io.coppice.vasa.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The judge of a chain, with certificates of roots of its own.
class ServedChainTest {

  private static final Instant NOW = Instant.parse("2026-11-28T06:00:00Z");

  private final Issuer root = Issuer.create("root", NOW, Duration.ofDays(3650));
  private final Issuer other = Issuer.create("other", NOW, Duration.ofDays(3650));

  @TempDir private Path home;

  @Test
  void aWholeChainWithItsNameIsInOrder() {
    Report report = judged(chain(root, 400), NOW, "provider.test");

    assertThat(report.verdict()).isEmpty();
    assertThat(report.text()).contains("complete, up to CN=root", "days left", "provider.test");
  }

  @Test
  void theEndIsToldBeforeAndAfter() {
    List<X509Certificate> chain = chain(root, 400);
    Instant end = chain.getFirst().getNotAfter().toInstant();

    assertThat(judged(chain, end.minus(Duration.ofDays(5)), "provider.test").text())
        .contains("warn  expiry", "; now: a running provider makes another within the hour");
    Report ended = judged(chain, end.plusSeconds(1), "provider.test");
    assertThat(ended.verdict().orElseThrow().cause()).isEqualTo(Cause.EXPIRED);
    assertThat(ended.verdict().orElseThrow().seen()).contains("ended on " + end);
  }

  @Test
  void anotherNameAndABrokenChainFail() {
    Report named = judged(chain(root, 400), NOW, "elsewhere.test");
    assertThat(named.verdict().orElseThrow().cause()).isEqualTo(Cause.NAME);
    assertThat(named.verdict().orElseThrow().seen())
        .contains("not for elsewhere.test, only for", "provider.test");

    List<X509Certificate> broken = List.of(chain(root, 400).getFirst(), other.served().leaf());
    assertThat(judged(broken, NOW, "provider.test").verdict().orElseThrow().cause())
        .isEqualTo(Cause.CHAIN);
  }

  @Test
  void whoseCertificateItIsDecidesTheRemedy() throws IOException {
    Files.createDirectory(home.resolve("tls"));
    Files.writeString(home.resolve("tls/root.crt"), Pem.of(root.served().leaf()));

    assertThat(ServedChain.of(home, chain(root, 400), true).ours()).isTrue();
    assertThat(ServedChain.of(home, chain(other, 400), true).ours()).isFalse();
    Report foreign = new Report();
    List<X509Certificate> chain = chain(other, 20);
    ServedChain.of(home, chain, true).judge(Optional.empty(), NOW, foreign);
    assertThat(foreign.text())
        .contains("within the month: put another key and chain into " + home.resolve("tls"));
  }

  private Report judged(List<X509Certificate> chain, Instant now, String name) {
    Report report = new Report();
    new ServedChain(home.resolve("tls/vasa.pem"), chain, true, true, true)
        .judge(Optional.of(name), now, report);
    return report;
  }

  private static List<X509Certificate> chain(Issuer issuer, int days) {
    return issuer.issue(List.of("provider.test"), NOW, Duration.ofDays(days)).chain();
  }
}
