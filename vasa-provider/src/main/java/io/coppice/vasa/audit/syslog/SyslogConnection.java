package io.coppice.vasa.audit.syslog;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection to a syslog server. A server that takes nothing for the patience of the settings
/// loses it: a guard closes the socket, which ends the write that hangs. What a server sends means
/// nothing; its end of the connection does, and is noticed by a thread that reads.
final class SyslogConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SyslogConnection.class);

  private static final int SEND_BUFFER = 64 << 10;

  private final Socket raw;
  private final OutputStream out;
  private final SyslogSettings settings;
  private final ScheduledExecutorService guard;
  private volatile boolean ended;

  private SyslogConnection(
      Socket raw, Socket wire, SyslogSettings settings, ScheduledExecutorService guard)
      throws IOException {
    this.raw = raw;
    this.out = new BufferedOutputStream(wire.getOutputStream());
    this.settings = settings;
    this.guard = guard;
    InputStream in = wire.getInputStream();
    Thread.ofVirtual().name("syslog-reader").start(() -> readToTheEnd(in));
  }

  /// Connects, and makes the handshake of TLS.
  ///
  /// @throws IOException if the server does not answer in time, or is another one than it should be
  static SyslogConnection open(SyslogSettings settings, ScheduledExecutorService guard)
      throws IOException {
    Socket raw = new Socket();
    try {
      raw.setSendBufferSize(SEND_BUFFER); // what waits there may never arrive
      raw.connect(
          new InetSocketAddress(settings.host(), settings.port()),
          (int) settings.patience().toMillis());
      raw.setKeepAlive(true);
      Socket wire =
          settings.transport() == SyslogSettings.Transport.TLS
              ? secured(raw, settings, guard)
              : raw;
      return new SyslogConnection(raw, wire, settings, guard);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  private static SSLSocket secured(
      Socket raw, SyslogSettings settings, ScheduledExecutorService guard) throws IOException {
    SSLSocket wire =
        (SSLSocket)
            context(settings)
                .getSocketFactory()
                .createSocket(raw, settings.host(), settings.port(), true);
    SSLParameters parameters = wire.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name in the certificate
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    wire.setSSLParameters(parameters);
    Future<?> end = closing(raw, settings, guard);
    try {
      wire.startHandshake();
    } finally {
      end.cancel(false);
    }
    return wire;
  }

  private static SSLContext context(SyslogSettings settings) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(settings.ca().isBlank() ? null : authorities(Path.of(settings.ca())));
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "coppice.audit.syslog.ca: expected certificates in %s, got %s"
              .formatted(settings.ca(), e.getMessage()),
          e);
    }
  }

  private static KeyStore authorities(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + number++, one);
      }
    }
    return store;
  }

  private static Future<?> closing(
      Socket raw, SyslogSettings settings, ScheduledExecutorService guard) {
    return guard.schedule(
        () -> closeQuietly(raw), settings.patience().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void closeQuietly(Socket raw) {
    try {
      raw.close();
    } catch (IOException e) {
      log.atDebug().setCause(e).log("closing a connection to the syslog server");
    }
  }

  private void readToTheEnd(InputStream in) {
    byte[] ignored = new byte[512];
    try {
      while (in.read(ignored) >= 0) {
        continue; // syslog has no answers
      }
    } catch (IOException e) {
      log.atDebug().setCause(e).log("the connection to the syslog server ends");
    }
    ended = true;
    closeQuietly(raw);
  }

  /// Sends messages, each framed by its length (RFC 6587 §3.4.1, RFC 5425 §4.3). They are on their
  /// way on return, which proves nothing about their arrival.
  ///
  /// @throws IOException if the connection has ended, or the server takes nothing
  void send(Iterable<byte[]> messages) throws IOException {
    requireOpen();
    Future<?> end = closing(raw, settings, guard);
    try {
      for (byte[] message : messages) {
        out.write((message.length + " ").getBytes(StandardCharsets.US_ASCII));
        out.write(message);
      }
      out.flush();
    } finally {
      end.cancel(false);
    }
  }

  /// @throws IOException if the server has ended the connection
  void requireOpen() throws IOException {
    if (ended) {
      throw new IOException("the syslog server has ended the connection");
    }
  }

  @Override
  public void close() {
    closeQuietly(raw);
  }
}
