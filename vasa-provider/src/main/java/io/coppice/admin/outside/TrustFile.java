package io.coppice.admin.outside;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The authorities that may have signed the certificate of a server.
///
/// @param setting name of the setting, for refusals
/// @param file certificates in PEM; empty: the authorities of this Java
public record TrustFile(String setting, String file) {

  /// A TLS context that trusts these authorities, as they are in the file now.
  ///
  /// @throws IOException if the file cannot be read, or holds no certificates
  public SSLContext context() throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(file.isBlank() ? null : authorities());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "%s: expected certificates in PEM in %s, got %s".formatted(setting, file, e.getMessage()),
          e);
    }
  }

  private KeyStore authorities() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + number++, one);
      }
    }
    if (store.size() == 0) {
      throw new IOException(
          "%s: expected certificates in PEM in %s, got none".formatted(setting, file));
    }
    return store;
  }
}
