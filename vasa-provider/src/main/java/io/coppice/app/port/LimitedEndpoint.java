package io.coppice.app.port;

import io.coppice.app.setting.ConnectionLimits;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A port that closes connections which take too long to begin, and lets no client address have all
/// of its connections.
///
/// The server's own timeouts begin anew with each byte, so a byte now and then keeps a handshake or
/// the head of a request open for ever. When an address has all the connections it may have, a new
/// one replaces the one that has been idle longest between two requests. If all are in a handshake
/// or a request, the new one is closed.
class LimitedEndpoint extends NioEndpoint {

  private static final Logger log = LoggerFactory.getLogger(LimitedEndpoint.class);

  /// Pause between two lines about one address.
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final int MOST_REPORTED = 1024;

  private volatile ConnectionLimits limits = ConnectionLimits.NONE;

  /// First sights of handshakes under way, by [System#nanoTime]; the sweeping thread's alone.
  private Map<SocketWrapperBase<NioChannel>, Long> handshakes = new IdentityHashMap<>();

  private final Map<InetAddress, Long> reported = new ConcurrentHashMap<>();

  void limit(ConnectionLimits now) {
    limits = now;
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (!makeRoom(socket)) {
      destroySocket(socket); // nothing else knows it yet
      return false;
    }
    return super.setSocketOptions(socket);
  }

  /// @return false if there is no room for the connection
  private boolean makeRoom(SocketChannel socket) {
    InetAddress client = socket.socket().getInetAddress();
    int most = limits.perAddress();
    int count = 0;
    NioSocketWrapper idle = null;
    for (Map.Entry<SocketChannel, SocketWrapperBase<NioChannel>> other : connections.entrySet()) {
      if (client.equals(other.getKey().socket().getInetAddress())) {
        count++;
        idle = longerIdle(idle, other.getValue());
      }
    }
    if (count < most) {
      return true;
    }
    if (idle != null) {
      idle.close();
      return true;
    }
    report(
        client, "expected at most %d connections of an address, got another one".formatted(most));
    return false;
  }

  private static @Nullable NioSocketWrapper longerIdle(
      @Nullable NioSocketWrapper idle, SocketWrapperBase<NioChannel> other) {
    if (!(other instanceof NioSocketWrapper found) || !isBetweenRequests(found)) {
      return idle;
    }
    return idle == null || found.getLastRead() < idle.getLastRead() ? found : idle;
  }

  /// Whether no part of a request has come: no thread works for it, and no part of a head is kept
  /// with it.
  private static boolean isBetweenRequests(SocketWrapperBase<NioChannel> connection) {
    return !connection.getLock().isLocked()
        && connection.getCurrentProcessor() == null
        && connection.getSocket().isHandshakeComplete();
  }

  /// Closes connections whose handshake or head has taken too long. Called by one thread at a time.
  void sweep() {
    long now = System.nanoTime();
    long most = limits.handshakeOrHead().toNanos();
    Map<SocketWrapperBase<NioChannel>, Long> shaking = new IdentityHashMap<>();
    for (SocketWrapperBase<NioChannel> connection : getConnections()) {
      if (!connection.getSocket().isHandshakeComplete()) {
        long began = handshakes.getOrDefault(connection, now);
        shaking.put(connection, began);
        closeIf(now - began > most, connection, "a TLS handshake");
      } else {
        long began = headBegan(connection);
        closeIf(began >= 0 && now - began > most, connection, "the head of a request");
      }
    }
    handshakes = shaking;
    reported.values().removeIf(at -> now - at > PAUSE.toNanos());
  }

  /// The time, by [System#nanoTime], at which an incomplete head began; -1 if there is none. Only a
  /// connection with such a head has a processor while no thread works for it, or one that answers
  /// later.
  private static long headBegan(SocketWrapperBase<NioChannel> connection) {
    return connection.getCurrentProcessor() instanceof Processor processor
            && processor.getRequest() != null
            && !processor.isAsync()
            && !processor.isUpgrade()
        ? processor.getRequest().getStartTimeNanos()
        : -1;
  }

  private void closeIf(boolean late, SocketWrapperBase<NioChannel> connection, String what) {
    if (late) {
      InetAddress client = connection.getSocket().getIOChannel().socket().getInetAddress();
      connection.close();
      if (client != null) {
        report(
            client,
            "expected the whole of %s within %d s, got a part of it"
                .formatted(what, limits.handshakeOrHead().toSeconds()));
      }
    }
  }

  private void report(InetAddress client, String sentence) {
    if (reported.size() < MOST_REPORTED
        && reported.putIfAbsent(client, System.nanoTime()) == null) {
      log.atWarn().addKeyValue("address", client.getHostAddress()).log(sentence);
    }
  }
}
