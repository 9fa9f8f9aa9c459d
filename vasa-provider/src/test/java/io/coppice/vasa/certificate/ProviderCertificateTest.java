package io.coppice.vasa.certificate;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a signed certificate replaces, and when it does not.
class ProviderCertificateTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path folder;
  private Path file;
  private Path requestKey;
  private Issuer authority;
  private ProviderCertificate certificate;

  @BeforeEach
  void serve() throws Exception {
    file = folder.resolve("vasa.pem");
    requestKey = folder.resolve("request.key");
    authority = Issuer.create("authority", NOW, YEAR);
    certificate =
        new ProviderCertificate(
            CertificateFile.open(file, () -> authority.issue(List.of("provider.test"), NOW, YEAR)),
            requestKey,
            List.of("provider.test"));
  }

  @Test
  void certificateThatAPortCannotServeChangesNothing() throws Exception {
    ServedCertificate before = certificate.current();
    String text = Files.readString(file);
    List<ServedCertificate> served = new ArrayList<>();
    certificate.servedBy(next -> () -> served.add(next));
    certificate.servedBy(
        _ -> {
          throw new CertificateException("this port takes none");
        });
    List<X509Certificate> signed = List.of(sign(certificate.request("vcenter")));

    assertFault("InvalidCertificate", () -> certificate.replace(signed));

    assertThat(Files.readString(file)).isEqualTo(text);
    assertThat(certificate.current()).isEqualTo(before);
    assertThat(served).isEmpty();
    assertThat(requestKey).as("the request may still be answered").exists();
  }

  @Test
  void certificateIsStableBeforeAPortServesIt() throws Exception {
    List<String> files = new ArrayList<>();
    certificate.servedBy(_ -> () -> files.add(read()));
    X509Certificate signed = sign(certificate.request("vcenter"));

    certificate.replace(List.of(signed));

    assertThat(files).singleElement().asString().contains(Pem.of(signed).strip());
    assertThat(certificate.current().leaf()).isEqualTo(signed);
    assertThat(requestKey).doesNotExist();
    assertFault("InvalidCertificate", () -> certificate.replace(List.of(signed)));
  }

  @Test
  void requestOfAnotherVoidsNoEarlierOne() throws Exception {
    X509Certificate first = sign(certificate.request("one"));
    X509Certificate second = sign(certificate.request("two"));
    for (int i = 0; i < 2 * RequestKeys.MOST_OF_ONE; i++) {
      certificate.request("three");
    }

    certificate.replace(List.of(first));
    assertThat(certificate.current().leaf()).isEqualTo(first);
    certificate.replace(List.of(second));

    assertThat(certificate.current().leaf()).isEqualTo(second);
  }

  @Test
  void lastRequestsOfOneWaitAndNotMore() throws Exception {
    List<X509Certificate> signed = new ArrayList<>();
    for (int i = 0; i <= RequestKeys.MOST_OF_ONE; i++) {
      signed.add(sign(certificate.request("one")));
    }

    assertFault("InvalidCertificate", () -> certificate.replace(List.of(signed.getFirst())));
    for (X509Certificate each : signed.subList(1, signed.size())) {
      certificate.replace(List.of(each));
      assertThat(certificate.current().leaf()).isEqualTo(each);
    }
    assertThat(requestKey).doesNotExist();
  }

  @Test
  void keyOfAnEarlierVersionIsRead() throws Exception {
    X509Certificate signed = sign(certificate.request("one"));
    Files.writeString(requestKey, Files.readString(requestKey).replaceFirst("requester: .*\n", ""));

    certificate.request("two");
    certificate.replace(List.of(signed));

    assertThat(certificate.current().leaf()).isEqualTo(signed);
  }

  private String read() {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private X509Certificate sign(String request) throws Exception {
    try (var parser = new PEMParser(new java.io.StringReader(request))) {
      var csr = new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject());
      var builder =
          new JcaX509v3CertificateBuilder(
              authority.served().leaf(),
              BigInteger.TWO,
              Date.from(NOW),
              Date.from(NOW.plus(YEAR)),
              new X500Principal(csr.getSubject().getEncoded()),
              csr.getPublicKey());
      var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }
  }
}
