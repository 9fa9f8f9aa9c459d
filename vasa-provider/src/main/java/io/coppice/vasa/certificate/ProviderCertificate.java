package io.coppice.vasa.certificate;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/// The certificate that the VASA port serves, and the requests by which others sign its successor.
///
/// Safe for any thread.
public final class ProviderCertificate {

  private final CertificateFile file;
  private final Path requestKeyFile;
  private final List<String> names;

  /// @param file what is served
  /// @param requestKeyFile where the key of a signing request waits for its certificate
  /// @param names subject alternative names of requests; the first is the common name
  public ProviderCertificate(CertificateFile file, Path requestKeyFile, List<String> names) {
    this.file = file;
    this.requestKeyFile = requestKeyFile;
    this.names = List.copyOf(names);
  }

  public ServedCertificate current() {
    return file.current();
  }

  /// Takes `port` along at each replacement.
  public void servedBy(CertificateFile.Port port) {
    file.servedBy(port);
  }

  /// A signing request (PKCS #10, RFC 2986) for a new key. The key of an earlier one is forgotten.
  ///
  /// @return PEM, `BEGIN CERTIFICATE REQUEST`, lines ending in LF
  public synchronized String request() {
    try {
      KeyPair keys = Issuer.newKeys();
      var subject = new X500Principal("CN=" + names.getFirst() + ",O=Coppice");
      var extensions = new ExtensionsGenerator();
      extensions.addExtension(
          Extension.subjectAlternativeName, false, Issuer.alternativeNames(names));
      var request =
          new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate())
              .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate()));
      SecretFile.write(requestKeyFile, Pem.of(keys.getPrivate()).strip());
      return Pem.block("CERTIFICATE REQUEST", request.getEncoded());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("a signing request cannot be made: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Serves a signed certificate from now on. Stable before the first connection sees it.
  ///
  /// @param chain leaf first
  /// @throws VasaException (InvalidCertificate) if it is not for the key of the last request, or if
  ///   a port cannot serve it; nothing has changed then
  public synchronized void replace(List<X509Certificate> chain) {
    try {
      file.replace(new ServedCertificate(requestKey(chain.getFirst()), chain));
      Files.deleteIfExists(requestKeyFile);
    } catch (CertificateException e) {
      throw new VasaException(
          new Fault.InvalidCertificate(List.of(Pem.of(chain.getFirst())), List.of()),
          "the signed certificate cannot be served: " + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The key that waits, if `leaf` is for it.
  private PrivateKey requestKey(X509Certificate leaf) throws IOException {
    if (Files.exists(requestKeyFile)) {
      try {
        PrivateKey key = Pem.privateKey(Files.readString(requestKeyFile));
        if (belong(key, leaf)) {
          return key;
        }
      } catch (CertificateException e) {
        throw new IOException(requestKeyFile + " holds no key", e);
      }
    }
    throw new VasaException(
        new Fault.InvalidCertificate(List.of(Pem.of(leaf)), List.of()),
        "expected a certificate for the key of our last signing request, got one for another key:"
            + " call requestCSR again");
  }

  private static boolean belong(PrivateKey key, X509Certificate certificate) {
    try {
      if (!(key instanceof RSAPrivateCrtKey rsa)) {
        return false;
      }
      var spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
      return java.security.KeyFactory.getInstance("RSA")
          .generatePublic(spec)
          .equals(certificate.getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
