package io.coppice.driver.pki;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The trust of a client in server certificates.
///
/// By thumbprint at first contact, when the provider's certificate is its own; by authority, with
/// the host name checked, once it is signed.
public final class ServerTrust {
  private static final char[] NO_PASSWORD = new char[0];

  private final TrustManager trust;

  private ServerTrust(TrustManager trust) {
    this.trust = trust;
  }

  /// Accepts exactly the certificate with this SHA-256 in hex, whatever its name and dates.
  public static ServerTrust thumbprint(String sha256) {
    return new ServerTrust(new ThumbprintTrust(sha256));
  }

  /// Accepts what chains to one of `roots`, is valid now and names the host.
  public static ServerTrust authorities(List<X509Certificate> roots) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < roots.size(); i++) {
        store.setCertificateEntry("root" + i, roots.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return new ServerTrust(factory.getTrustManagers()[0]);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot trust " + roots.size() + " roots", e);
    }
  }

  /// A new TLS context, so that connections made with it resume no earlier session.
  ///
  /// @param own the client's certificate, null for none
  public SSLContext context(@Nullable Identity own) {
    try {
      KeyManager[] keys = own == null ? new KeyManager[0] : keyManagers(own);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot make a TLS context", e);
    }
  }

  /// The context of a TLS server with `own` as its certificate that asks no client for one.
  public static SSLContext serverContext(Identity own) {
    return authorities(List.of(own.chain().getLast())).context(own);
  }

  /// The certificate that the server at `uri` shows. Nothing but the handshake is sent.
  public static X509Certificate firstContact(URI uri) throws IOException {
    SSLContext context = new ServerTrust(new ThumbprintTrust("")).context(null);
    int port = uri.getPort() < 0 ? 443 : uri.getPort();
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(uri.getHost(), port)) {
      socket.setSoTimeout(10_000);
      socket.startHandshake();
      Certificate[] chain = socket.getSession().getPeerCertificates();
      return (X509Certificate) chain[0];
    }
  }

  private static KeyManager[] keyManagers(Identity own)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    Certificate[] chain = own.chain().toArray(Certificate[]::new);
    store.setKeyEntry("own", own.key(), NO_PASSWORD, chain);
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  /// Compares the thumbprint of the first certificate; an empty one accepts every certificate.
  private static final class ThumbprintTrust extends X509ExtendedTrustManager {
    private final String expected;

    ThumbprintTrust(String expected) {
      this.expected = expected;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      String came = Pem.thumbprint(chain[0]);
      if (!expected.isEmpty() && !expected.equalsIgnoreCase(came)) {
        throw new CertificateException(
            "expected the certificate with thumbprint %s, got %s".formatted(expected, came));
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("a client's trust judges servers only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("a client's trust judges servers only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("a client's trust judges servers only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
