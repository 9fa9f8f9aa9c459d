package io.coppice.driver.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// A private key with its certificate and, after it, those of its issuers.
public record Identity(PrivateKey key, List<X509Certificate> chain) {
  public Identity {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("expected at least one certificate, got none");
    }
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  @Override
  public String toString() {
    return "Identity[" + certificate().getSubjectX500Principal() + "]";
  }
}
