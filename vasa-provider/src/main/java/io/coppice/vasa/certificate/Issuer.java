package io.coppice.vasa.certificate;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/// An issuer of certificates (RFC 5280): a root of its own, and server certificates under it.
///
/// @param served the root's key and certificate
public record Issuer(ServedCertificate served) {

  /// RSA, because every client of VASA is known to take it.
  private static final int KEY_BITS = 2048;

  private static final String SIGNATURE = "SHA256withRSA";

  /// Clocks of clients may be behind ours.
  private static final Duration SKEW = Duration.ofHours(24);

  private static final SecureRandom RANDOM = new SecureRandom();

  /// A new root for any names.
  ///
  /// @param commonName its name
  /// @param now start of its validity, less a day for clocks that are behind
  public static Issuer create(String commonName, Instant now, Duration validity) {
    return create(commonName, null, now, validity);
  }

  /// A new root that may sign for servers with these names only, and no signing certificates.
  ///
  /// @param permitted host names, each with all names below it, and addresses
  /// @throws IllegalArgumentException if one is neither
  public static Issuer createFor(
      String commonName, List<String> permitted, Instant now, Duration validity) {
    return create(commonName, PermittedNames.of(permitted), now, validity);
  }

  /// Whether this root may sign for a name.
  public boolean permits(String name) {
    return PermittedNames.permits(served.leaf(), name);
  }

  private static Issuer create(
      String commonName, @Nullable NameConstraints constraints, Instant now, Duration validity) {
    try {
      KeyPair keys = newKeys();
      var name = new X500Principal("CN=" + commonName + ",O=Coppice");
      var builder = builder(name, name, keys.getPublic(), now, validity);
      builder.addExtension(
          Extension.basicConstraints,
          true,
          constraints == null ? new BasicConstraints(true) : new BasicConstraints(0));
      if (constraints != null) {
        builder.addExtension(Extension.nameConstraints, true, constraints);
      }
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      X509Certificate certificate = sign(builder, keys);
      return new Issuer(new ServedCertificate(keys.getPrivate(), List.of(certificate)));
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("a certificate cannot be made: " + e.getMessage(), e);
    }
  }

  /// A server certificate with a new key; its chain ends with this root.
  ///
  /// @param names host names and addresses for the subject alternative names; the first is the
  ///   common name
  public ServedCertificate issue(List<String> names, Instant now, Duration validity) {
    try {
      KeyPair keys = newKeys();
      X509Certificate root = served.leaf();
      var builder =
          builder(
              root.getSubjectX500Principal(),
              new X500Principal("CN=" + names.getFirst() + ",O=Coppice"),
              keys.getPublic(),
              now,
              validity);
      var extensions = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.authorityKeyIdentifier, false, extensions.createAuthorityKeyIdentifier(root));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(Extension.subjectAlternativeName, false, alternativeNames(names));
      X509Certificate leaf = sign(builder, new KeyPair(root.getPublicKey(), served.key()));
      return new ServedCertificate(keys.getPrivate(), List.of(leaf, root));
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("a certificate cannot be made: " + e.getMessage(), e);
    }
  }

  /// A certificate for a key of somebody else, as client and server of links. It names no host:
  /// whoever trusts it looks at its common name.
  ///
  /// @param commonName what the links' ends hold against the pool that they expect
  public X509Certificate certify(PublicKey key, String commonName, Instant now, Duration validity) {
    try {
      X509Certificate root = served.leaf();
      var builder =
          builder(
              root.getSubjectX500Principal(),
              new X500Principal("CN=" + commonName + ",O=Coppice"),
              key,
              now,
              validity);
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(root));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
      return sign(builder, new KeyPair(root.getPublicKey(), served.key()));
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("a certificate cannot be made: " + e.getMessage(), e);
    }
  }

  /// A new pair of keys, of the kind that all certificates here have.
  public static KeyPair newKeys() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(KEY_BITS, RANDOM);
    return generator.generateKeyPair();
  }

  /// Names and addresses as subject alternative names (RFC 5280 §4.2.1.6).
  static GeneralNames alternativeNames(List<String> names) {
    List<GeneralName> all = new ArrayList<>();
    for (String name : names) {
      boolean address = PermittedNames.isAddress(name);
      all.add(new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name));
    }
    return new GeneralNames(all.toArray(GeneralName[]::new));
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey key, Instant now, Duration validity)
      throws GeneralSecurityException, CertIOException {
    var builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(127, RANDOM).setBit(126),
            Date.from(now.minus(SKEW)),
            Date.from(now.plus(validity)),
            subject,
            key);
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
    return builder;
  }

  private static X509Certificate sign(JcaX509v3CertificateBuilder builder, KeyPair keys)
      throws OperatorCreationException, GeneralSecurityException {
    var signer = new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate());
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }
}
