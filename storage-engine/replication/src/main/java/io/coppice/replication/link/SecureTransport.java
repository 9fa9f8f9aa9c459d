package io.coppice.replication.link;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A connection over TCP with mutual TLS 1.3.
public final class SecureTransport implements Transport {

  private static final int BUFFER = 256 << 10;

  private final Socket socket;
  private final SSLSocket tls;
  private final InputStream in;
  private final OutputStream out;

  private SecureTransport(Socket socket, SSLSocket tls) throws IOException {
    this.socket = socket;
    this.tls = tls;
    in = tls.getInputStream();
    out = new BufferedOutputStream(tls.getOutputStream(), BUFFER);
  }

  /// Connects to another pool.
  ///
  /// @param called the name of the server that is asked for (RFC 6066 §3), by which the other end
  ///   chooses its certificate; null for none
  /// @param patience for the connection, and again for the handshake
  /// @throws IOException if it is not reached, or either end does not trust the other one
  public static SecureTransport connect(
      InetSocketAddress address,
      SSLContext context,
      @Nullable SNIHostName called,
      Duration patience)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address, (int) patience.toMillis());
      return secured(socket, context, true, called, patience);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Takes a connection that another pool has opened.
  ///
  /// @throws IOException if either end does not trust the other one
  static SecureTransport accept(Socket socket, SSLContext context, Duration patience)
      throws IOException {
    try {
      return secured(socket, context, false, null, patience);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static SecureTransport secured(
      Socket socket,
      SSLContext context,
      boolean isClient,
      @Nullable SNIHostName called,
      Duration patience)
      throws IOException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    socket.setSoTimeout((int) patience.toMillis());
    String peer = socket.getInetAddress().getHostAddress();
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, peer, socket.getPort(), true);
    tls.setUseClientMode(isClient);
    tls.setEnabledProtocols(new String[] {"TLSv1.3"});
    if (!isClient) {
      tls.setNeedClientAuth(true);
    }
    if (called != null) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setServerNames(List.of(called));
      tls.setSSLParameters(parameters);
    }
    tls.startHandshake();
    socket.setSoTimeout(0); // from now on the link watches
    return new SecureTransport(socket, tls);
  }

  /// The certificate of the other end, which this end's trust has accepted.
  public X509Certificate peer() throws IOException {
    return (X509Certificate) tls.getSession().getPeerCertificates()[0];
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  /// Closes the connection below TLS, which would wait for a writer first.
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed nevertheless.
    }
  }
}
