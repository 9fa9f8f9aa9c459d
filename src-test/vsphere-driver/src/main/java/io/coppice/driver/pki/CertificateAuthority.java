package io.coppice.driver.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;

/// A certificate authority like vCenter's: one root that issues client certificates, signs a
/// provider's request and publishes a revocation list. Immutable; safe for several threads.
public final class CertificateAuthority {
  private static final String SIGNATURE = "SHA256withRSA";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyPair keys;
  private final X509Certificate certificate;

  /// From when to when a certificate counts, relative to now.
  public record Validity(Duration from, Duration to) {
    /// Ten years, since an hour ago.
    public static final Validity LONG = new Validity(Duration.ofHours(-1), Duration.ofDays(3650));

    /// Ended an hour ago.
    public static final Validity EXPIRED = new Validity(Duration.ofDays(-30), Duration.ofHours(-1));

    /// Begins tomorrow.
    public static final Validity FUTURE = new Validity(Duration.ofDays(1), Duration.ofDays(30));
  }

  private CertificateAuthority(KeyPair keys, X509Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  /// A new root named `CN=name`.
  public static CertificateAuthority create(String name) {
    return create(name, Validity.LONG);
  }

  /// A new root with another validity, for tests.
  public static CertificateAuthority create(String name, Validity validity) {
    KeyPair keys = newKeys();
    X500Principal subject = new X500Principal("CN=" + name + ", O=vsphere-driver");
    X509v3CertificateBuilder builder = builder(subject, subject, keys.getPublic(), validity);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      return new CertificateAuthority(keys, sign(builder, keys));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a root certificate", e);
    }
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public String certificatePem() {
    return Pem.encode(certificate);
  }

  /// A client certificate for `CN=commonName`, as vCenter's services and hosts have one.
  public Identity issueClient(String commonName) {
    return issueClient(commonName, Validity.LONG);
  }

  /// As [#issueClient(String)] with another validity, for tests.
  public Identity issueClient(String commonName, Validity validity) {
    KeyPair own = newKeys();
    X500Principal subject = new X500Principal("CN=" + commonName + ", O=vsphere-driver");
    X509Certificate issued =
        issue(subject, own.getPublic(), validity, KeyPurposeId.id_kp_clientAuth, null);
    return new Identity(own.getPrivate(), List.of(issued, certificate));
  }

  /// A server certificate for a name of this machine, as an independent peer of tests needs it.
  public Identity issueServer(String dnsName, String ipAddress) {
    KeyPair own = newKeys();
    GeneralNames names =
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, dnsName),
              new GeneralName(GeneralName.iPAddress, ipAddress)
            });
    X509Certificate issued =
        issue(
            new X500Principal("CN=" + dnsName),
            own.getPublic(),
            Validity.LONG,
            KeyPurposeId.id_kp_serverAuth,
            names);
    return new Identity(own.getPrivate(), List.of(issued, certificate));
  }

  /// Signs a provider's request into a server certificate. Subject, key and subject alternative
  /// names are the request's.
  ///
  /// @param csrPem PEM with the header `BEGIN CERTIFICATE REQUEST` and without CR characters
  /// @throws IllegalArgumentException if the text is no such request, its signature does not match
  ///   its key, or it has no subject alternative name
  public X509Certificate signServer(String csrPem) {
    return signServer(csrPem, Validity.LONG);
  }

  /// As [#signServer(String)] with another validity, for tests.
  public X509Certificate signServer(String csrPem, Validity validity) {
    try {
      JcaPKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequest(Pem.decode("CERTIFICATE REQUEST", csrPem));
      PublicKey key = request.getPublicKey();
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        throw new IllegalArgumentException("expected a CSR signed by its own key, got another");
      }
      Extensions asked = request.getRequestedExtensions();
      GeneralNames names =
          asked == null
              ? null
              : GeneralNames.fromExtensions(asked, Extension.subjectAlternativeName);
      if (names == null) {
        throw new IllegalArgumentException(
            "expected a subject alternative name in the CSR, got none");
      }
      X500Principal subject = new X500Principal(request.getSubject().getEncoded());
      return issue(subject, key, validity, KeyPurposeId.id_kp_serverAuth, names);
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      throw new IllegalArgumentException("expected a PKCS#10 request, got another text", e);
    }
  }

  /// A revocation list with `revoked` on it, in PEM.
  public String crlPem(List<X509Certificate> revoked) {
    Instant now = Instant.now();
    X509v2CRLBuilder builder =
        new X509v2CRLBuilder(
            X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
            Date.from(now.minusSeconds(60)));
    builder.setNextUpdate(Date.from(now.plus(Duration.ofDays(30))));
    for (X509Certificate each : revoked) {
      builder.addCRLEntry(each.getSerialNumber(), Date.from(now), CRLReason.keyCompromise);
    }
    try {
      return Pem.encode("X509 CRL", builder.build(signer(keys)).getEncoded());
    } catch (IOException e) {
      throw new IllegalStateException("cannot encode a revocation list", e);
    }
  }

  private X509Certificate issue(
      X500Principal subject,
      PublicKey key,
      Validity validity,
      KeyPurposeId purpose,
      @Nullable GeneralNames names) {
    X509v3CertificateBuilder builder =
        builder(certificate.getSubjectX500Principal(), subject, key, validity);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(keys.getPublic()));
      if (names != null) {
        builder.addExtension(Extension.subjectAlternativeName, false, names);
      }
      return sign(builder, keys);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot issue a certificate for " + subject, e);
    }
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey key, Validity validity) {
    Instant now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(96, RANDOM).setBit(95),
        Date.from(now.plus(validity.from())),
        Date.from(now.plus(validity.to())),
        subject,
        key);
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, KeyPair keys)
      throws GeneralSecurityException {
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer(keys)));
  }

  private static ContentSigner signer(KeyPair keys) {
    try {
      return new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate());
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("cannot sign with " + SIGNATURE, e);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no RSA", e);
    }
  }
}
