package io.coppice.app.tls;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.apache.tomcat.util.net.SSLContext;

/// A ready TLS context in the form that Tomcat takes.
public final class TlsContext implements SSLContext {

  private final javax.net.ssl.SSLContext context;
  private final List<X509Certificate> chain;

  public TlsContext(javax.net.ssl.SSLContext context, List<X509Certificate> chain) {
    this.context = context;
    this.chain = List.copyOf(chain);
  }

  /// Does nothing: the context came ready.
  @Override
  public void init(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {}

  @Override
  public void destroy() {}

  @Override
  public SSLSessionContext getServerSessionContext() {
    return context.getServerSessionContext();
  }

  @Override
  public SSLEngine createSSLEngine() {
    return context.createSSLEngine();
  }

  @Override
  public SSLServerSocketFactory getServerSocketFactory() {
    return context.getServerSocketFactory();
  }

  @Override
  public SSLParameters getSupportedSSLParameters() {
    return context.getSupportedSSLParameters();
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.toArray(X509Certificate[]::new);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
