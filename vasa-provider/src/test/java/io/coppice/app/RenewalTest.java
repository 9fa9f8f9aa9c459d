package io.coppice.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.tls.TlsFiles;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The served certificate is renewed before and after its end, and nobody is cut off by it.
class RenewalTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @RegisterExtension
  private static final SharedProvider ours =
      new SharedProvider("--coppice.vasa.certificate=retain");

  /// One that starts with a certificate which another authority signed and which has ended.
  @RegisterExtension
  private static final SharedProvider signed = new SharedProvider(RenewalTest::putEndedCertificate);

  private static void putEndedCertificate(Path home) throws Exception {
    Instant then = Instant.now().minus(YEAR.multipliedBy(2));
    ServedCertificate ended =
        Issuer.create("another", then, YEAR).issue(List.of("localhost"), then, YEAR);
    var text = new StringBuilder(Pem.of(ended.key()));
    ended.chain().forEach(certificate -> text.append(Pem.of(certificate)));
    Files.writeString(Files.createDirectory(home.resolve("tls")).resolve("vasa.pem"), text);
  }

  @Test
  void ownCertificatesAreMadeAnewWhileSessionsGoOn() throws Exception {
    ours.register();
    VasaClient vcenter = ours.client(ours.certificate("vcenter.test"));
    vcenter.openAsVcenter("vc-1");
    var management = new VasaClient(ours.get().managementPort(), null);
    TlsFiles tls = ours.get().bean(TlsFiles.class);

    for (int days : List.of(800, 2000)) { // shortly before its end; long after it
      X509Certificate before = vcenter.served();
      X509Certificate beforeThere = management.served();
      try (Socket connection = vcenter.connect()) {
        assertThat(statusOn(connection)).contains(" 200");

        tls.renewDue(Instant.now().plus(Duration.ofDays(days)));

        assertThat(vcenter.served()).isNotEqualTo(before);
        assertThat(management.served()).isNotEqualTo(beforeThere);
        assertThat(statusOn(connection)).as("the connection from before").contains(" 200");
      }
      assertThat(vcenter.callEmpty("queryCatalog").status()).isEqualTo(200);
    }
  }

  @Test
  void certificateThatHasEndedIsRenewedByTheVcenterThatKnowsUs() throws Exception {
    signed.register();
    VasaClient vcenter = signed.client(signed.certificate("vcenter.test"));
    vcenter.openAsVcenter("vc-1");
    assertThat(vcenter.served().getNotAfter().toInstant()).isBefore(Instant.now());

    String next = signed.sign(vcenter.callEmpty("requestCSR").value("return"));
    var accepted =
        vcenter.call(
            "registerCASignedProviderCertificate",
            "<ns:providerCert>%s</ns:providerCert><ns:forceApply>false</ns:forceApply>"
                .formatted(next));

    assertThat(accepted.status()).as(accepted.text()).isEqualTo(200);
    assertThat(Pem.of(vcenter.served())).isEqualTo(next);
    assertThat(vcenter.callEmpty("queryCatalog").status()).isEqualTo(200);
  }

  /// The status line of a request on a connection that stays open.
  private static String statusOn(Socket connection) throws Exception {
    connection.setSoTimeout(30_000);
    connection
        .getOutputStream()
        .write("HEAD /vasa/version.xml HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
    var in = new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII), 1);
    String status = in.readLine();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      assertThat(line).doesNotContainIgnoringCase("connection: close");
    }
    return String.valueOf(status);
  }
}
