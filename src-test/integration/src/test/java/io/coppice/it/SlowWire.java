package io.coppice.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A network between initiators and a target that delays what goes through, in both directions.
final class SlowWire implements AutoCloseable {

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile long delayMillis;

  private SlowWire(ServerSocket listener, InetSocketAddress target) {
    this.listener = listener;
    this.target = target;
  }

  /// Listens at a free port of the loopback address, and delays nothing yet.
  static SlowWire start(InetSocketAddress target) {
    try {
      SlowWire wire =
          new SlowWire(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()), target);
      Thread.ofVirtual().name("slow-wire").start(wire::accept);
      return wire;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  /// Delays each direction by so much from now on.
  void delay(long millis) {
    delayMillis = millis;
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
        Thread.ofVirtual().start(() -> pump(initiator, upstream));
        Thread.ofVirtual().start(() -> pump(upstream, initiator));
      } catch (IOException e) {
        open.removeIf(Socket::isClosed); // closed, or no target
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        byte[] part = Arrays.copyOf(buffer, length);
        Thread.sleep(delayMillis);
        out.write(part);
      }
    } catch (IOException e) {
      // one side is gone, and so is the other one
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
