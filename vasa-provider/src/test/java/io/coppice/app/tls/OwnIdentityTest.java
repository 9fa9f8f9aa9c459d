package io.coppice.app.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.SystemFacts;
import io.coppice.api.host.RegistrationForm;
import io.coppice.api.system.CertificateInfo;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.testing.TestClock;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The certificates of a home, and the form of a registration, as REST tells them.
class OwnIdentityTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  private OwnIdentity identity() {
    Home home = Home.open(folder);
    SystemFacts facts =
        new SystemFacts(
            "1.2.3",
            () -> URI.create("https://array.test:8443/vasa/services/vasaService"),
            () -> URI.create("https://array.test:9443/api/v1"),
            () -> List.of());
    TlsFiles tls = new TlsFiles(home, new CoppiceProperties.Tls(List.of("array.test"), 825), clock);
    return new OwnIdentity(tls, facts, home, "vasa");
  }

  @Test
  void ourCertificatesAreForTheNamesOfThisProviderAndOurs() {
    List<CertificateInfo> certificates = identity().certificates();

    assertThat(certificates)
        .extracting(CertificateInfo::name)
        .containsExactly("vasa", "management", "root");
    CertificateInfo vasa = certificates.getFirst();
    CertificateInfo root = certificates.getLast();
    assertThat(vasa.names()).containsExactly("array.test");
    assertThat(vasa.subject()).contains("CN=array.test");
    assertThat(vasa.issuer()).isEqualTo(root.subject()).isEqualTo(root.issuer());
    assertThat(vasa.notAfter()).isEqualTo(clock.instant().plus(Duration.ofDays(825)));
    assertThat(vasa.notBefore()).isBefore(clock.instant());
    assertThat(certificates).allMatch(CertificateInfo::own);
    assertThat(certificates)
        .extracting(CertificateInfo::sha256)
        .doesNotHaveDuplicates()
        .allMatch(text -> text.matches("([0-9A-F]{2}:){31}[0-9A-F]{2}"));
  }

  @Test
  void theFormNamesTheFileOfThePasswordAndTheRoot() {
    OwnIdentity identity = identity();

    RegistrationForm form = identity.form();

    assertThat(form.url()).hasToString("https://array.test:8443/vasa/version.xml");
    assertThat(form.user()).isEqualTo("vasa");
    assertThat(form.passwordFile()).isEqualTo(Home.open(folder).vasaPassword().toString());
    assertThat(form.fingerprint()).isEqualTo(identity.certificates().getLast().sha256());
  }

  @Test
  void aCertificateOfSomebodyElseIsNotOurs() throws Exception {
    Issuer other = Issuer.create("other", clock.instant(), YEAR);
    ServedCertificate theirs = other.issue(List.of("array.test"), clock.instant(), YEAR);
    Path tls = Files.createDirectories(folder.resolve("tls"));
    Files.writeString(
        tls.resolve("vasa.pem"),
        Pem.of(theirs.key()) + Pem.of(theirs.leaf()) + Pem.of(other.served().leaf()));

    OwnIdentity identity = identity();

    assertThat(identity.certificates())
        .extracting(CertificateInfo::own)
        .containsExactly(false, true, true);
    assertThat(identity.form().fingerprint().replace(":", ""))
        .as("of their authority")
        .isEqualToIgnoringCase(Pem.fingerprint(other.served().leaf()));
  }
}
