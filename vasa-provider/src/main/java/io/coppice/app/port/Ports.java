package io.coppice.app.port;

import io.coppice.app.setting.ConnectionLimits;
import io.coppice.app.setting.StartupException;
import io.coppice.app.tls.TlsContext;
import io.coppice.vasa.certificate.ServedCertificate;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/// The two TLS ports as Tomcat's connectors. Each gets a TLS context made here, so that a new
/// certificate is a new context: no session of the old one is resumed.
public final class Ports {

  /// Clients poll every ten seconds.
  private static final Duration BETWEEN_REQUESTS = Duration.ofMinutes(1);

  private Ports() {}

  /// A port's request for the client's certificate.
  public enum ClientCertificate {
    NONE,
    WANTED
  }

  /// Secures a connector before it starts.
  public static void secure(
      Connector connector, ServedCertificate served, ClientCertificate client) {
    connector.setScheme("https");
    connector.setSecure(true);
    var protocol = (Http11NioProtocol) connector.getProtocolHandler();
    protocol.setSSLEnabled(true);
    try {
      protocol.addSslHostConfig(hostConfig(served, client));
    } catch (CertificateException e) {
      throw new StartupException(Objects.requireNonNull(e.getMessage()), e);
    }
  }

  /// Makes ready to serve another certificate.
  ///
  /// @return serves it from the next handshake on; running connections go on
  /// @throws CertificateException if it cannot be served
  public static Runnable swap(
      Connector connector, ServedCertificate served, ClientCertificate client)
      throws CertificateException {
    var protocol = (Http11NioProtocol) connector.getProtocolHandler();
    SSLHostConfig config = hostConfig(served, client);
    return () -> protocol.addSslHostConfig(config, true);
  }

  /// Sets how many connections a client may have, and how long it may take to go on with what it
  /// began. That is a handshake or a request's head as a whole, or its body between two pieces.
  /// Between two requests a client may pause for a minute.
  public static void limit(Connector connector, ConnectionLimits limits) {
    var protocol = (LimitedProtocol) connector.getProtocolHandler();
    protocol.setConnectionTimeout(Math.toIntExact(limits.handshakeOrHead().toMillis()));
    protocol.setKeepAliveTimeout(Math.toIntExact(BETWEEN_REQUESTS.toMillis()));
    protocol.limit(limits);
  }

  public static void bind(Connector connector, String address, int port) {
    connector.setPort(port);
    try {
      var protocol = (Http11NioProtocol) connector.getProtocolHandler();
      protocol.setAddress(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new StartupException(
          "expected an address to listen at, got \"%s\", which is none".formatted(address), e);
    }
  }

  private static SSLHostConfig hostConfig(ServedCertificate served, ClientCertificate client)
      throws CertificateException {
    var config = new SSLHostConfig();
    config.setProtocols("TLSv1.2+TLSv1.3");
    config.setCertificateVerification(
        switch (client) {
          case NONE -> "none";
          // "optionalNoCA" is for OpenSSL; with our trust manager "optional" accepts any chain.
          case WANTED -> "optional";
        });
    var certificate = new SSLHostConfigCertificate(config, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setSslContext(new TlsContext(context(served), served.chain()));
    config.addCertificate(certificate);
    return config;
  }

  private static SSLContext context(ServedCertificate served) throws CertificateException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "served", served.key(), new char[0], served.chain().toArray(X509Certificate[]::new));
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(
          keys.getKeyManagers(), new TrustManager[] {new AnyClientTrust()}, new SecureRandom());
      return Objects.requireNonNull(context);
    } catch (GeneralSecurityException | java.io.IOException e) {
      throw new CertificateException(
          "the key and certificates for a port cannot be used: " + e.getMessage(), e);
    }
  }
}
