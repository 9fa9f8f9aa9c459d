package io.coppice.replication.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.testing.Await;
import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.testing.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecureTransportTest {

  private static final LinkSettings SETTINGS = new LinkSettings(Duration.ofSeconds(5), true);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final PoolName A = new PoolName(new UUID(1, 1), "a");
  private static final PoolName B = new PoolName(new UUID(2, 2), "b");

  @TempDir private Path directory;
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final Queue<String> served = new ConcurrentLinkedQueue<>();

  private LinkListener listen(SSLContext context, int most) throws IOException {
    return new LinkListener(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        () -> context,
        most,
        new LinkListener.Server() {
          @Override
          public void serve(SecureTransport transport) {
            try (Link link = new Link(transport, SETTINGS, Pace.UNLIMITED)) {
              served.add(transport.peer().getSubjectX500Principal().getName());
              Handshake.answer(link, B, _ -> {});
              link.receive();
            } catch (ReplicationException | IOException e) {
              served.add("ended");
            }
          }

          @Override
          public void refused(String from, IOException reason) {
            refused.add(String.valueOf(reason.getMessage()));
          }
        });
  }

  private static SecureTransport connect(LinkListener listener, SSLContext context)
      throws IOException {
    return SecureTransport.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
        context,
        null,
        PATIENCE);
  }

  @Test
  void endsTrustEachOther() throws Exception {
    Certificates source = new Certificates(directory, "source");
    Certificates target = new Certificates(directory, "target");
    try (LinkListener listener = listen(target.trusting(source), 4);
        SecureTransport transport = connect(listener, source.trusting(target));
        Link link = new Link(transport, SETTINGS, Pace.UNLIMITED)) {
      assertThat(Handshake.introduce(link, A, B.id())).isEqualTo(B);
      assertThat(transport.peer().getSubjectX500Principal().getName()).isEqualTo("CN=target");
      assertThat(served).containsExactly("CN=source");
    }
    Await.until("the end of the link", () -> served.contains("ended"));
  }

  @Test
  void foreignCertificateIsRefused() throws Exception {
    Certificates source = new Certificates(directory, "source");
    Certificates target = new Certificates(directory, "target");
    Certificates foreign = new Certificates(directory, "foreign");
    try (LinkListener listener = listen(target.trusting(source), 4)) {
      assertThatThrownBy(
              () -> {
                // With TLS 1.3 a client learns that it is refused when it reads.
                try (SecureTransport transport = connect(listener, foreign.trusting(target));
                    Link link = new Link(transport, SETTINGS, Pace.UNLIMITED)) {
                  Handshake.introduce(link, A, B.id());
                }
              })
          .isInstanceOf(ReplicationException.class);
      assertThatThrownBy(() -> connect(listener, source.trusting(foreign)))
          .isInstanceOf(IOException.class);
      Await.until("both refusals", () -> refused.size() == 2);
      assertThat(served).isEmpty();
    }
  }

  @Test
  void furtherConnectionIsClosed() throws Exception {
    Certificates source = new Certificates(directory, "source");
    SSLContext context = source.trusting(source);
    try (LinkListener listener = listen(context, 1);
        SecureTransport first = connect(listener, context)) {
      assertThat(first.peer()).isNotNull();

      assertThatThrownBy(() -> connect(listener, context)).isInstanceOf(IOException.class);
      Await.until("the refusal", () -> refused.contains("too many connections"));
    }
  }

  @Test
  void otherProtocolIsRefused() throws Exception {
    Certificates source = new Certificates(directory, "source");
    SSLContext context = source.trusting(source);
    try (LinkListener listener = listen(context, 1);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Await.until("the refusal", () -> !refused.isEmpty());
    }
    assertThat(served).isEmpty();
  }
}
