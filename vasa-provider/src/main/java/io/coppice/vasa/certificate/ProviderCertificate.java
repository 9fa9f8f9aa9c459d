package io.coppice.vasa.certificate;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
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
  private final RequestKeys requestKeys;
  private final List<String> names;

  /// @param file what is served
  /// @param requestKeyFile where the keys of signing requests wait for their certificates
  /// @param names subject alternative names of requests; the first is the common name
  public ProviderCertificate(CertificateFile file, Path requestKeyFile, List<String> names) {
    this.file = file;
    this.requestKeys = new RequestKeys(requestKeyFile);
    this.names = List.copyOf(names);
  }

  public ServedCertificate current() {
    return file.current();
  }

  /// Takes `port` along at each replacement.
  public void servedBy(CertificateFile.Port port) {
    file.servedBy(port);
  }

  /// A signing request (PKCS #10, RFC 2986) for a new key. Keys of earlier requests keep waiting:
  /// those of other requesters, and the last few of this one.
  ///
  /// @param requester name of the requester
  /// @return PEM, `BEGIN CERTIFICATE REQUEST`, lines ending in LF
  public synchronized String request(String requester) {
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
      requestKeys.add(requester, keys.getPrivate());
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
  /// @throws VasaException (InvalidCertificate) if it is not for the key of a request that waits,
  ///   or if a port cannot serve it; nothing has changed then
  public synchronized void replace(List<X509Certificate> chain) {
    try {
      PrivateKey key = requestKey(chain.getFirst());
      file.replace(new ServedCertificate(key, chain));
      requestKeys.remove(key);
    } catch (CertificateException e) {
      throw new VasaException(
          new Fault.InvalidCertificate(List.of(Pem.of(chain.getFirst())), List.of()),
          "the signed certificate cannot be served: " + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The key that waits for `leaf`.
  private PrivateKey requestKey(X509Certificate leaf) throws IOException {
    return requestKeys
        .of(leaf.getPublicKey())
        .orElseThrow(
            () ->
                new VasaException(
                    new Fault.InvalidCertificate(List.of(Pem.of(leaf)), List.of()),
                    "expected a certificate for the key of one of our signing requests, got one for"
                        + " another key: call requestCSR again"));
  }
}
