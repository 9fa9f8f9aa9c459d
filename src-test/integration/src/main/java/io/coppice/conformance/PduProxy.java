package io.coppice.conformance;

import io.coppice.harness.Mismatch;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Stands between an initiator and a target on the loopback address and gives the initiator what it
/// lacks: 8-byte logical unit numbers, and digests of headers and data.
///
/// It reads whole PDUs (RFC 7143 §11) and changes nothing else in them. To the initiator it looks
/// like a target without digests; towards the target every PDU after the login carries CRC32C
/// digests, and what comes back is checked against those that it carries. Two threads a connection.
final class PduProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final PduRewriting rewriting;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong checked = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();

  private PduProxy(ServerSocket listener, InetSocketAddress target, PduRewriting rewriting) {
    this.listener = listener;
    this.target = target;
    this.rewriting = rewriting;
  }

  /// Listens on a free port until it is closed.
  static PduProxy start(InetSocketAddress target, PduRewriting rewriting) {
    try {
      ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      PduProxy proxy = new PduProxy(listener, target, rewriting);
      Thread.ofVirtual().name("proxy").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  /// PDUs of the target whose digests were right.
  long digestsChecked() {
    return checked.get();
  }

  /// PDUs of the target whose digests were wrong: each ended its connection.
  long digestsWrong() {
    return wrong.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket initiator = listener.accept();
        Socket upstream = new Socket();
        open.add(initiator);
        open.add(upstream);
        upstream.connect(target, 5_000);
        initiator.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        Session session = new Session(initiator, upstream);
        Thread.ofVirtual().start(session::initiatorToTarget);
        Thread.ofVirtual().start(session::targetToInitiator);
      } catch (IOException e) {
        // closed, or a target that is not there: the initiator sees its connection end
        open.removeIf(Socket::isClosed);
      }
    }
  }

  /// One connection on each side.
  private final class Session {
    private final Socket initiator;
    private final Socket upstream;

    /// Set by the target's last login response, before the initiator sees it; nothing is sent by
    /// either side in between.
    private volatile boolean digests;

    Session(Socket initiator, Socket upstream) {
      this.initiator = initiator;
      this.upstream = upstream;
    }

    void initiatorToTarget() {
      pump(
          initiator,
          upstream,
          (in, out) -> {
            Pdu pdu = Pdu.read(in, false);
            rewriting.request(pdu).write(out, digests);
          });
    }

    void targetToInitiator() {
      pump(
          upstream,
          initiator,
          (in, out) -> {
            boolean expected = digests;
            Pdu pdu = Pdu.read(in, expected);
            if (expected) {
              checked.incrementAndGet();
            }
            if (rewriting.digests() && pdu.endsLogin()) {
              digests = true;
            }
            rewriting.response(pdu).write(out, false);
          });
    }

    private void pump(Socket from, Socket to, Step step) {
      try (from;
          to) {
        InputStream in = new java.io.BufferedInputStream(from.getInputStream(), 1 << 16);
        OutputStream out = new java.io.BufferedOutputStream(to.getOutputStream(), 1 << 16);
        PduProxy.this.pump(in, out, step);
      } catch (EOFException e) {
        // one side has ended the connection, and so does the other
      } catch (IOException e) {
        // as above, less politely
      } finally {
        open.remove(from);
        open.remove(to);
      }
    }
  }

  /// Returns when a digest is wrong; counted before anybody can see the connection end.
  private void pump(InputStream in, OutputStream out, Step step) throws IOException {
    try {
      while (true) {
        step.once(in, out);
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (Mismatch e) {
      wrong.incrementAndGet();
    }
  }

  @FunctionalInterface
  private interface Step {
    void once(InputStream in, OutputStream out) throws IOException;
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
