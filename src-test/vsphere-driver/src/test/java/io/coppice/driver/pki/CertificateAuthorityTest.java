package io.coppice.driver.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.create("test root");

  @Test
  void aClientCertificateChainsToItsRootAndToNoOther() {
    Identity client = AUTHORITY.issueClient("host-1");

    assertThatCode(() -> client.certificate().verify(AUTHORITY.certificate().getPublicKey()))
        .doesNotThrowAnyException();
    CertificateAuthority foreign = CertificateAuthority.create("foreign");
    assertThatThrownBy(() -> client.certificate().verify(foreign.certificate().getPublicKey()))
        .isInstanceOf(java.security.SignatureException.class);
  }

  @Test
  void anExpiredCertificateIsExpired() {
    X509Certificate expired =
        AUTHORITY.issueClient("late", CertificateAuthority.Validity.EXPIRED).certificate();

    assertThatThrownBy(expired::checkValidity).isInstanceOf(CertificateExpiredException.class);
  }

  @Test
  void aSignedRequestKeepsItsKeyAndItsNames() throws Exception {
    KeyPair keys = keys();

    X509Certificate signed = AUTHORITY.signServer(csr(keys, "CERTIFICATE REQUEST", true));

    assertThat(signed.getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(signed.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "provider.test"), List.of(7, "127.0.0.1"));
    assertThat(signed.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    signed.verify(AUTHORITY.certificate().getPublicKey());
  }

  @Test
  void aRequestWithAnotherHeaderOrWithoutNamesIsRefused() throws Exception {
    KeyPair keys = keys();

    assertThatThrownBy(() -> AUTHORITY.signServer(csr(keys, "NEW CERTIFICATE REQUEST", true)))
        .hasMessageContaining("BEGIN CERTIFICATE REQUEST");
    assertThatThrownBy(() -> AUTHORITY.signServer(csr(keys, "CERTIFICATE REQUEST", false)))
        .hasMessageContaining("subject alternative name");
  }

  @Test
  void aRevocationListNamesWhatItRevokes() throws Exception {
    X509Certificate good = AUTHORITY.issueClient("good").certificate();
    X509Certificate bad = AUTHORITY.issueClient("bad").certificate();

    byte[] der = Pem.decode("X509 CRL", AUTHORITY.crlPem(List.of(bad)));
    X509CRL crl =
        (X509CRL)
            CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));

    crl.verify(AUTHORITY.certificate().getPublicKey());
    assertThat(crl.isRevoked(bad)).isTrue();
    assertThat(crl.isRevoked(good)).isFalse();
  }

  @Test
  void pemIsReadAgainAsWritten() {
    assertThat(Pem.certificate(AUTHORITY.certificatePem())).isEqualTo(AUTHORITY.certificate());
    assertThat(AUTHORITY.certificatePem()).doesNotContain("\r");
  }

  private static KeyPair keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static String csr(KeyPair keys, String label, boolean names) throws Exception {
    var builder =
        new JcaPKCS10CertificationRequestBuilder(
            new X500Principal("CN=provider"), keys.getPublic());
    if (names) {
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "provider.test"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1")
              }));
      builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
    }
    var signer = new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate());
    return Pem.encode(label, builder.build(signer).getEncoded());
  }
}
