package io.coppice.app.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.vasa.certificate.CertificateFile;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.testing.TestClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When certificates are made anew, at a start and later.
class TlsFilesTest {

  private static final int DAYS = 825;
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @Test
  void certificatesStayUntilThirtyDaysBeforeTheirEnd() throws Exception {
    TlsFiles first = start();
    X509Certificate root = root();
    clock.advance(Duration.ofDays(DAYS - 31));

    TlsFiles second = start();

    assertThat(second.management().current()).isEqualTo(first.management().current());
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
    for (ServedCertificate next : List.of(second.vasa().current(), second.management().current())) {
      assertThat(next.leaf().getNotAfter().toInstant())
          .isEqualTo(clock.instant().plus(Duration.ofDays(DAYS)));
      assertThat(
              new ClientChain(next.chain()).distanceTo(List.of(root), List.of(), clock.instant()))
          .contains(1);
      assertThat(next.key()).isNotEqualTo(old.key());
    }
    assertThat(first.takeRenewals()).as("certificates of a first start are not renewed").isEmpty();
    assertThat(second.takeRenewals())
        .as("what the audit trail is told")
        .hasSize(2)
        .allMatch(
            one ->
                one.endsWith(", until " + clock.instant().plus(Duration.ofDays(DAYS)).toString()));
    assertThat(second.takeRenewals()).as("told once").isEmpty();
  }

  @Test
  void rootIsMadeAnewBeforeItExpiresAndEverythingUnderIt() throws Exception {
    start();
    clock.advance(Duration.ofDays(3650 - 29));
    TlsFiles late = start();
    X509Certificate root = root();

    assertThat(root.getNotAfter().toInstant())
        .isEqualTo(clock.instant().plus(Duration.ofDays(3650)));
    for (ServedCertificate next : List.of(late.vasa().current(), late.management().current())) {
      assertThat(
              new ClientChain(next.chain()).distanceTo(List.of(root), List.of(), clock.instant()))
          .contains(1);
    }
    assertThat(Pem.certificates(Files.readString(folder.resolve("tls/root.crt")))).contains(root);
  }

  @Test
  void rootForClientsIsReplacedInOneStepAndOnlyByAnotherOne() throws Exception {
    start();
    Path file = folder.resolve("tls/root.crt");
    try (var opened = Files.newInputStream(file)) {
      String before = Files.readString(file);
      Object first = Files.getAttribute(file, "unix:ino");

      start();
      assertThat(Files.getAttribute(file, "unix:ino")).as("the same root").isEqualTo(first);

      clock.advance(Duration.ofDays(3650 - 29));
      start();
      assertThat(Files.readString(file)).isNotEqualTo(before);
      assertThat(new String(opened.readAllBytes(), StandardCharsets.UTF_8))
          .as("whoever had it open reads it to its end")
          .isEqualTo(before);
    }
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

  @Test
  void certificateThatIsServedIsMadeAnewWhileItIsServed() throws Exception {
    TlsFiles running = start();
    List<ServedCertificate> served = new ArrayList<>();
    running.vasa().servedBy(next -> () -> served.add(next));
    X509Certificate root = root();
    for (int days : List.of(DAYS - 31, DAYS - 29, 2 * DAYS + 100)) {
      running.renewDue(clock.instant().plus(Duration.ofDays(days)));
    }

    assertThat(served).as("shortly before its end, and after it").hasSize(2);
    assertThat(running.vasa().current()).isEqualTo(served.getLast());
    assertThat(root()).isEqualTo(root);
    clock.advance(Duration.ofDays(2 * DAYS + 100));
    assertThat(start().vasa().current()).as("it is in the file").isEqualTo(served.getLast());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAFastClockMadeIsMadeAnewWhenItIsSetRight(boolean restarted) throws Exception {
    clock.jump(Duration.ofDays(30));
    TlsFiles files = start();
    clock.jump(Duration.ofDays(-30));

    if (restarted) {
      files = start();
    } else {
      files.renewDue(clock.instant());
    }

    List<X509Certificate> served = new ArrayList<>(files.vasa().current().chain());
    served.addAll(files.management().current().chain());
    assertThat(served)
        .contains(root())
        .allSatisfy(each -> each.checkValidity(Date.from(clock.instant())));
    assertThat(Pem.certificates(Files.readString(folder.resolve("tls/root.crt"))))
        .containsExactly(root());
  }

  @Test
  void rootSignsForThisProviderOnly() throws Exception {
    start("array.example", "10.1.2.3", "fd00::7");
    var root = new Issuer(served("root.pem"));

    assertThat(root.served().leaf().getBasicConstraints()).as("path length").isZero();
    assertThat(trusted(root, "array.example", "10.1.2.3", "fd00::7")).isTrue();
    assertThat(trusted(root, "a.array.example")).isTrue();
    for (String other :
        List.of("bank.example", "xarray.example", "10.1.2.4", "fd00::8", "localhost")) {
      assertThat(trusted(root, other)).as(other).isFalse();
      assertThat(root.permits(other)).as(other).isFalse();
    }
    ServedCertificate intermediate = root.issue(List.of("array.example"), clock.instant(), DAY);
    ServedCertificate below =
        new Issuer(intermediate).issue(List.of("array.example"), clock.instant(), DAY);
    assertThat(isTrusted(root, List.of(below.leaf(), intermediate.leaf()))).isFalse();
  }

  @Test
  void rootForAddressesSignsForNoHostName() throws Exception {
    start("10.1.2.3");
    var root = new Issuer(served("root.pem"));

    assertThat(trusted(root, "10.1.2.3")).isTrue();
    for (String other : List.of("bank.example", "fd00::8", "10.1.2.4")) {
      assertThat(trusted(root, other)).as(other).isFalse();
    }
  }

  @Test
  void rootIsMadeAnewForANameThatTheSettingsGive() throws Exception {
    start("array.example");
    X509Certificate root = root();

    assertThat(start("array.example").vasa().current().chain()).contains(root);
    assertThat(start("sub.array.example").vasa().current().chain()).contains(root);
    TlsFiles other = start("array.example", "other.example");

    assertThat(root()).isNotEqualTo(root);
    for (ServedCertificate next : List.of(other.vasa().current(), other.management().current())) {
      assertThat(next.chain()).contains(root());
      assertThat(next.leaf().getSubjectAlternativeNames()).hasSize(2);
    }
  }

  @Test
  void rootOfBeforeWithoutConstraintsStaysUntilItsEnd() throws Exception {
    Files.createDirectories(folder.resolve("tls"));
    ServedCertificate old =
        Issuer.create("Coppice root array.example", clock.instant(), Duration.ofDays(3650))
            .served();
    Files.writeString(folder.resolve("tls/root.pem"), Pem.of(old.key()) + Pem.of(old.leaf()));

    TlsFiles files = start("array.example", "other.example");

    assertThat(root()).isEqualTo(old.leaf());
    assertThat(files.vasa().current().chain()).contains(old.leaf());
    clock.advance(Duration.ofDays(3650 - 29));
    start("array.example", "other.example");
    assertThat(root().getBasicConstraints()).isZero();
  }

  private static boolean trusted(Issuer root, String... names) throws Exception {
    return isTrusted(
        root, List.of(root.issue(List.of(names), new TestClock().instant(), DAY).leaf()));
  }

  /// What a client thinks of it that applies the constraints of the root itself, as OpenSSL does.
  /// That of the JDK applies those of a path only: so the root is the first one of the path.
  private static boolean isTrusted(Issuer root, List<X509Certificate> below) throws Exception {
    X509Certificate first = root.served().leaf();
    var key = new TrustAnchor(first.getSubjectX500Principal(), first.getPublicKey(), null);
    var parameters = new PKIXParameters(Set.of(key));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(new TestClock().instant()));
    List<X509Certificate> path = new ArrayList<>(below);
    path.add(first);
    try {
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
      return true;
    } catch (CertPathValidatorException e) {
      return false;
    }
  }

  private ServedCertificate served(String file) throws Exception {
    return CertificateFile.open(
            folder.resolve("tls").resolve(file),
            () -> {
              throw new AssertionError("expected that " + file + " is there");
            })
        .current();
  }

  @Test
  void certificateOfOneDayLivesForAWhile() throws Exception {
    var oneDay = new CoppiceProperties.Tls(List.of("localhost"), 1);
    var running = new TlsFiles(Home.open(folder), oneDay, clock);
    ServedCertificate first = running.vasa().current();

    running.renewDue(clock.instant().plus(Duration.ofHours(7)));
    assertThat(running.vasa().current()).isEqualTo(first);
    running.renewDue(clock.instant().plus(Duration.ofHours(9)));
    assertThat(running.vasa().current()).isNotEqualTo(first);
  }

  private TlsFiles start() throws Exception {
    return start("localhost");
  }

  private TlsFiles start(String... names) throws Exception {
    return new TlsFiles(Home.open(folder), new CoppiceProperties.Tls(List.of(names), DAYS), clock);
  }

  private X509Certificate root() throws Exception {
    return Pem.certificates(Files.readString(folder.resolve("tls/root.pem"))).getFirst();
  }
}
