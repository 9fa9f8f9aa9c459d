package io.coppice.admin.directory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// The sockets of TLS whose handshake fails if the certificate is for another name than the one
/// that was connected to (RFC 4513 §3.1.3, Server Identity Check).
final class NamedSockets extends SSLSocketFactory {

  private final SSLSocketFactory plain;

  NamedSockets(SSLSocketFactory plain) {
    this.plain = plain;
  }

  private static Socket named(Socket socket) {
    SSLSocket tls = (SSLSocket) socket;
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("LDAPS");
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    tls.setSSLParameters(parameters);
    return tls;
  }

  @Override
  public Socket createSocket() throws IOException {
    return named(plain.createSocket());
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    return named(plain.createSocket(socket, host, port, autoClose));
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return named(plain.createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return named(plain.createSocket(host, port, local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return named(plain.createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return named(plain.createSocket(host, port, local, localPort));
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return plain.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return plain.getSupportedCipherSuites();
  }
}
