package io.coppice.cli.rest;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trust in one root certificate and no other. It remembers what a server sent, so that a refusal
/// can name it. The checks are the JDK's own, that of the server's name included.
final class PinnedTrust extends X509ExtendedTrustManager {

  private final X509ExtendedTrustManager checks;
  private volatile List<X509Certificate> sent = List.of();

  /// @param root the only root that is trusted; null for those of the JDK
  PinnedTrust(@Nullable X509Certificate root) {
    try {
      KeyStore roots = null;
      if (root != null) {
        roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        roots.setCertificateEntry("root", root);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(roots);
      checks = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The chain that the server of the last handshake sent, its own certificate first.
  List<X509Certificate> sent() {
    return sent;
  }

  static SSLContext context(TrustManager trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    sent = List.of(chain);
    checks.checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    sent = List.of(chain);
    checks.checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    sent = List.of(chain);
    checks.checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("there are no clients here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("there are no clients here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("there are no clients here");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return checks.getAcceptedIssuers();
  }
}
