package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.testing.TestClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When a start makes certificates anew.
class TlsFilesTest {

  private static final int DAYS = 825;

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @Test
  void certificatesStayUntilThirtyDaysBeforeTheirEnd() throws Exception {
    TlsFiles first = start();
    X509Certificate root = root();
    clock.advance(Duration.ofDays(DAYS - 31));

    TlsFiles second = start();

    assertThat(second.management()).isEqualTo(first.management());
    assertThat(second.vasa().current()).isEqualTo(first.vasa().current());
    assertThat(root()).isEqualTo(root);
  }

  @Test
  void certificatesAreMadeAnewUnderTheSameRootBeforeTheyExpire() throws Exception {
    TlsFiles first = start();
    ServedCertificate old = first.vasa().current();
    X509Certificate root = root();
    clock.advance(Duration.ofDays(DAYS - 29));

    TlsFiles second = start();

    assertThat(root()).isEqualTo(root);
    for (ServedCertificate next : List.of(second.vasa().current(), second.management())) {
      assertThat(next.leaf().getNotAfter().toInstant())
          .isEqualTo(clock.instant().plus(Duration.ofDays(DAYS)));
      assertThat(
              new ClientChain(next.chain()).distanceTo(List.of(root), List.of(), clock.instant()))
          .contains(1);
      assertThat(next.key()).isNotEqualTo(old.key());
    }
  }

  @Test
  void rootIsMadeAnewBeforeItExpiresAndEverythingUnderIt() throws Exception {
    start();
    clock.advance(Duration.ofDays(3650 - 29));
    TlsFiles late = start();
    X509Certificate root = root();

    assertThat(root.getNotAfter().toInstant())
        .isEqualTo(clock.instant().plus(Duration.ofDays(3650)));
    for (ServedCertificate next : List.of(late.vasa().current(), late.management())) {
      assertThat(
              new ClientChain(next.chain()).distanceTo(List.of(root), List.of(), clock.instant()))
          .contains(1);
    }
    assertThat(Pem.certificates(Files.readString(folder.resolve("tls/root.crt")))).contains(root);
  }

  @Test
  void certificateOfAnotherAuthorityIsLeftEvenWhenItExpires() throws Exception {
    start();
    ServedCertificate foreign =
        Issuer.create("other", clock.instant(), Duration.ofDays(10))
            .issue(List.of("localhost"), clock.instant(), Duration.ofDays(10));
    var text = new StringBuilder(Pem.of(foreign.key()));
    foreign.chain().forEach(certificate -> text.append(Pem.of(certificate)));
    Files.writeString(folder.resolve("tls/vasa.pem"), text);
    clock.advance(Duration.ofDays(20));

    assertThat(start().vasa().current()).isEqualTo(foreign);
  }

  private TlsFiles start() throws Exception {
    return new TlsFiles(
        Home.open(folder), new CoppiceProperties.Tls(List.of("localhost"), DAYS), clock);
  }

  private X509Certificate root() throws Exception {
    return Pem.certificates(Files.readString(folder.resolve("tls/root.pem"))).getFirst();
  }
}
