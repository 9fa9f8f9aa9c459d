package io.coppice.replication.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// A port on which other pools connect. Each connection is served on a thread of its own.
public final class LinkListener implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ServerSocket server;
  private final Supplier<SSLContext> context;
  private final Server connections;
  private final Semaphore room;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// The work on a connection.
  public interface Server {

    /// Serves a connection until it ends; it is closed afterwards.
    void serve(SecureTransport transport);

    /// Tells of a connection that came to nothing.
    ///
    /// @param from the address it came from
    void refused(String from, IOException reason);
  }

  /// Listens from now on.
  ///
  /// @param context asked at each connection, so that it may change
  /// @param most connections at a time; a further one is closed at once
  /// @throws IOException if the port cannot be taken
  public LinkListener(
      InetSocketAddress address, Supplier<SSLContext> context, int most, Server connections)
      throws IOException {
    this.context = context;
    this.connections = connections;
    room = new Semaphore(most);
    server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(address);
    Thread.ofPlatform().daemon().name("replication-listener").start(this::accept);
  }

  /// The port that was taken.
  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket socket = server.accept();
        if (room.tryAcquire()) {
          open.add(socket);
          Thread.ofVirtual().name("replication-link").start(() -> serve(socket));
        } else {
          socket.close();
          connections.refused(from(socket), new IOException("too many connections"));
        }
      } catch (SocketException e) {
        if (!closed) {
          pause();
        }
      } catch (IOException e) {
        pause();
      }
    }
  }

  /// A failing accept, as when no descriptor is left, must not take a core.
  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Socket socket) {
    try (SecureTransport transport = SecureTransport.accept(socket, context.get(), PATIENCE)) {
      connections.serve(transport);
    } catch (IOException e) {
      connections.refused(from(socket), e);
    } finally {
      open.remove(socket);
      room.release();
    }
  }

  private static String from(Socket socket) {
    return String.valueOf(socket.getRemoteSocketAddress());
  }

  /// Takes no more connections, and closes those that are open.
  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      // It is closed nevertheless.
    }
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed nevertheless.
      }
    }
  }
}
