package io.coppice.cli.rest;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// The certificates that a server shows to whoever connects.
public final class ServerChain {

  private static final int LONGEST_WAIT_MILLIS = 10_000;

  private ServerChain() {}

  /// The root at the end of the chain that a server sends. Nothing is sent to it but the handshake,
  /// which fails on purpose.
  ///
  /// @throws CommandFailedException if it does not answer, or sends no root
  public static X509Certificate rootOf(URI url) {
    PinnedTrust trust = new PinnedTrust(null);
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(url.getHost(), url.getPort()), LONGEST_WAIT_MILLIS);
      plain.setSoTimeout(LONGEST_WAIT_MILLIS);
      try (SSLSocket socket =
          (SSLSocket)
              PinnedTrust.context(trust)
                  .getSocketFactory()
                  .createSocket(plain, url.getHost(), url.getPort(), true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
      }
    } catch (SSLException e) {
      // Expected: nobody trusts this root yet.
    } catch (IOException e) {
      throw new CommandFailedException(
          ExitStatus.UNREACHABLE, "%s does not answer: %s".formatted(url, e.getMessage()));
    }
    List<X509Certificate> sent = trust.sent();
    if (sent.isEmpty()) {
      throw new CommandFailedException(
          ExitStatus.UNREACHABLE, "%s answers, but shows no certificate".formatted(url));
    }
    X509Certificate last = sent.getLast();
    if (!last.getSubjectX500Principal().equals(last.getIssuerX500Principal())) {
      throw new CommandFailedException(
          ExitStatus.UNREACHABLE,
          "%s does not send the root of its certificate: give it with --ca FILE".formatted(url));
    }
    return last;
  }
}
