package io.coppice.app.port;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;

/// A port that reports TLS handshakes which did not end well. A client that does not trust our
/// certificate breaks off, and nothing of it reaches a request.
final class WatchedHandshakes extends LimitedEndpoint {

  private final BiConsumer<String, String> brokenOff;

  /// @param brokenOff receives the client's IP address and the failure in TLS's words
  WatchedHandshakes(BiConsumer<String, String> brokenOff) {
    this.brokenOff = brokenOff;
  }

  @Override
  protected NioChannel createChannel(SocketBufferHandler buffers) {
    return isSSLEnabled() ? new Watched(buffers) : super.createChannel(buffers);
  }

  private final class Watched extends SecureNioChannel {

    Watched(SocketBufferHandler buffers) {
      super(buffers, WatchedHandshakes.this);
    }

    @Override
    public int handshake(boolean read, boolean write) throws IOException {
      try {
        return super.handshake(read, write);
      } catch (SSLException e) {
        SocketAddress client = getIOChannel().getRemoteAddress();
        if (client instanceof InetSocketAddress known) {
          brokenOff.accept(known.getAddress().getHostAddress(), String.valueOf(e.getMessage()));
        }
        throw e;
      }
    }
  }
}
