package io.coppice.app.tls;

import io.coppice.vasa.certificate.ServedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A TLS server whose connections show certificates in turn, and which says what a test tells it
/// to.
final class ScriptedTlsServer implements AutoCloseable {

  private static final char[] PASSWORD = "a-password".toCharArray();

  /// What it does with a request.
  interface Script {
    void answer(OutputStream out) throws IOException, InterruptedException;
  }

  final List<String> requests = new CopyOnWriteArrayList<>();

  private final ServerSocket listener;
  private final List<SSLContext> contexts;
  private final Script script;
  private final AtomicInteger connections = new AtomicInteger();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /// @param shown by the first connections; the last one by all others, too
  ScriptedTlsServer(List<ServedCertificate> shown, Script script) throws Exception {
    this.script = script;
    contexts = shown.stream().map(ScriptedTlsServer::context).toList();
    listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /// A server that sends one text.
  static Script saying(String head, String body) {
    return out -> {
      int length = body.getBytes(StandardCharsets.UTF_8).length;
      out.write(
          "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(head, length, body)
              .getBytes(StandardCharsets.UTF_8));
    };
  }

  private static SSLContext context(ServedCertificate served) {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "key", served.key(), PASSWORD, served.chain().toArray(new X509Certificate[0]));
      KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
      managers.init(keys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void start(Runnable work) {
    threads.add(Thread.ofVirtual().start(work));
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket plain = listener.accept();
        int number = connections.getAndIncrement();
        start(() -> serve(plain, contexts.get(Math.min(number, contexts.size() - 1))));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket plain, SSLContext context) {
    try (plain;
        SSLSocket tls =
            (SSLSocket)
                context.getSocketFactory().createSocket(plain, null, plain.getPort(), true)) {
      tls.setUseClientMode(false);
      tls.startHandshake();
      String request = request(tls.getInputStream());
      if (!request.isEmpty()) {
        requests.add(request);
        script.answer(tls.getOutputStream());
        tls.getOutputStream().flush();
      }
    } catch (IOException _) {
      // The client has seen enough.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// The head and body of a request; empty if none comes.
  private static String request(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    int length =
        Integer.parseInt(head.toString().replaceAll("(?is).*content-length: *([0-9]+).*", "$1"));
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.forEach(Thread::interrupt);
  }
}
