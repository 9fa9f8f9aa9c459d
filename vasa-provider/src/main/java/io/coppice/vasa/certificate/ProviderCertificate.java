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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/// The certificate that the VASA port serves: kept in one file with its key, replaced in one step,
/// taken over by the port at once.
///
/// Safe for any thread.
public final class ProviderCertificate {

  private final Path file;
  private final Path requestKeyFile;
  private final List<String> names;
  private final List<Port> ports = new CopyOnWriteArrayList<>();

  private volatile ServedCertificate current;

  /// Serves what the file holds.
  ///
  /// @param file PEM file with key and chain; it must exist
  /// @param requestKeyFile where the key of a signing request waits for its certificate
  /// @param names subject alternative names of requests; the first is the common name
  /// @throws CertificateException if the file has no key with its certificate
  public ProviderCertificate(Path file, Path requestKeyFile, List<String> names)
      throws IOException, CertificateException {
    this.file = file;
    this.requestKeyFile = requestKeyFile;
    this.names = List.copyOf(names);
    this.current = ServedCertificate.fromPem(Files.readString(file));
  }

  /// What stands in a key file, or a new certificate that is written there first.
  public static ServedCertificate loadOrIssue(
      Path file, java.util.function.Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    if (!Files.exists(file)) {
      return issueAnew(file, issue);
    }
    return ServedCertificate.fromPem(Files.readString(file));
  }

  /// A new certificate in place of what stands in a key file.
  public static ServedCertificate issueAnew(
      Path file, java.util.function.Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    SecretFile.write(file, issue.get().toPem().strip());
    return ServedCertificate.fromPem(Files.readString(file));
  }

  public ServedCertificate current() {
    return current;
  }

  /// Where the certificate is served.
  @FunctionalInterface
  public interface Port {

    /// Makes ready to serve another certificate; changes nothing yet.
    ///
    /// @return serves it
    /// @throws CertificateException if this port cannot serve it
    Runnable prepare(ServedCertificate next) throws CertificateException;
  }

  /// Takes `port` along at each replacement, in the thread that replaces.
  public void servedBy(Port port) {
    ports.add(port);
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
      PrivateKey key = requestKey(chain.getFirst());
      var next = new ServedCertificate(key, chain);
      List<Runnable> switches = prepare(next);
      SecretFile.write(file, next.toPem().strip());
      Files.deleteIfExists(requestKeyFile);
      current = next;
      switches.forEach(Runnable::run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Runnable> prepare(ServedCertificate next) {
    try {
      List<Runnable> switches = new ArrayList<>();
      for (Port port : ports) {
        switches.add(port.prepare(next));
      }
      return switches;
    } catch (CertificateException e) {
      throw new VasaException(
          new Fault.InvalidCertificate(List.of(Pem.of(next.leaf())), List.of()),
          "the signed certificate cannot be served: " + e.getMessage(),
          e);
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
