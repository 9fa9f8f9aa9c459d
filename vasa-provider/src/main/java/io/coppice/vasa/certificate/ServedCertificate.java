package io.coppice.vasa.certificate;

import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/// A key and its certificate chain, leaf first, as one of our ports serves it.
public record ServedCertificate(PrivateKey key, List<X509Certificate> chain) {

  public ServedCertificate {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("expected a certificate chain, got an empty one");
    }
  }

  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /// Key and chain as one PEM text.
  public String toPem() {
    var text = new StringBuilder(Pem.of(key));
    chain.forEach(certificate -> text.append(Pem.of(certificate)));
    return text.toString();
  }

  /// @throws CertificateException if there is no key, or no certificate
  public static ServedCertificate fromPem(String text) throws CertificateException {
    return new ServedCertificate(Pem.privateKey(text), Pem.certificates(text));
  }

  /// A text without the key.
  @Override
  public String toString() {
    return "ServedCertificate[" + leaf().getSubjectX500Principal().getName() + "]";
  }
}
