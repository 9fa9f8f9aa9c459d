package io.coppice.vasa.alert.delivery;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The authorities that may have signed a server's certificate.
final class Authorities {

  private Authorities() {}

  /// @param pem certificates; null for the authorities of this Java
  /// @throws IOException if the text holds no certificate
  static SSLContext context(@Nullable String pem) throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(pem == null ? null : store(pem));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("expected certificates in PEM, got " + e.getMessage(), e);
    }
  }

  private static KeyStore store(String pem) throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> all =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    if (all.isEmpty()) {
      throw new IOException("expected certificates in PEM, got none");
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (Certificate one : all) {
      store.setCertificateEntry("ca" + number++, one);
    }
    return store;
  }
}
