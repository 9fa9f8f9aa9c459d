package io.coppice.bench.engine;

import io.coppice.replication.link.Transport;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// An end of a TCP connection of this machine with itself, without TLS.
record Loopback(Socket socket, InputStream in, OutputStream out) implements Transport {

  private static final int BUFFER = 256 << 10;

  /// Both ends of a new connection.
  record Pair(Loopback source, Loopback target) {

    static Pair open() throws IOException {
      InetAddress here = InetAddress.getLoopbackAddress();
      try (ServerSocket server = new ServerSocket(0, 1, here)) {
        Socket source = new Socket(here, server.getLocalPort());
        return new Pair(of(source), of(server.accept()));
      }
    }
  }

  private static Loopback of(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
    return new Loopback(socket, socket.getInputStream(), out);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed nevertheless.
    }
  }
}
