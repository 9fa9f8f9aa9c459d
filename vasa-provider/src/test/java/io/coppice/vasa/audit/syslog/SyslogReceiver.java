package io.coppice.vasa.audit.syslog;

import io.coppice.vasa.certificate.ServedCertificate;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A syslog server on the loopback address that reads frames with counted octets, and may be made
/// to reset its connections or to read nothing.
final class SyslogReceiver implements AutoCloseable {

  private static final Pattern NUMBER = Pattern.compile(" seq=\"([0-9]+)\"");

  private final ServerSocket server;
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final CountDownLatch reads;

  private SyslogReceiver(ServerSocket server, boolean hangs) {
    this.server = server;
    this.reads = new CountDownLatch(hangs ? 1 : 0);
    Thread.ofPlatform().daemon(true).start(this::accept);
  }

  static SyslogReceiver tcp() throws IOException {
    return tcp(0);
  }

  static SyslogReceiver tcp(int port) throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress("localhost", port));
    return new SyslogReceiver(server, false);
  }

  /// One that takes connections and reads nothing until it is told to.
  static SyslogReceiver hanging() throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReceiveBufferSize(4096);
    server.bind(new InetSocketAddress("localhost", 0));
    return new SyslogReceiver(server, true);
  }

  static SyslogReceiver tls(ServedCertificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server",
        certificate.key(),
        new char[0],
        certificate.chain().toArray(java.security.cert.Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new SyslogReceiver(
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getByName("localhost")),
        false);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofPlatform().daemon(true).start(() -> read(socket));
      }
    } catch (IOException e) {
      assert server.isClosed();
    }
  }

  private void read(Socket socket) {
    try (socket) {
      reads.await();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = 0;
        for (int digit = in.readUnsignedByte(); digit != ' '; digit = in.readUnsignedByte()) {
          if (digit < '0' || digit > '9') {
            throw new IOException("expected a count of octets, got " + digit);
          }
          length = 10 * length + digit - '0';
        }
        byte[] message = new byte[length];
        in.readFully(message);
        messages.add(new String(message, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      open.remove(socket);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  List<String> messages() {
    return messages;
  }

  /// The numbers of the entries that came, in the order in which they came.
  List<Long> numbers() {
    return messages.stream().map(SyslogReceiver::number).toList();
  }

  private static long number(String message) {
    Matcher found = NUMBER.matcher(message);
    if (!found.find()) {
      throw new AssertionError("expected a number in " + message);
    }
    return Long.parseLong(found.group(1));
  }

  void readOn() {
    reads.countDown();
  }

  /// Ends every connection with a reset.
  void resetAll() throws IOException {
    for (Socket socket : open) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
