package io.coppice.replication.link;

import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.message.LinkMessage;
import java.util.UUID;
import java.util.function.Consumer;

/// The first two messages of a link: who is there, and which version of the protocol both speak.
public final class Handshake {

  /// The only version until now.
  private static final int VERSION = 1;

  private Handshake() {}

  /// Introduces this pool, as the end that has connected.
  ///
  /// @param expected the pool that must answer
  /// @return who answered
  /// @throws ReplicationException (FORBIDDEN) if another pool answered; or as the other end
  ///   refused, or as [Link#receive]. The link is of no use then.
  public static PoolName introduce(Link link, PoolName self, UUID expected) {
    link.send(new LinkMessage.Hello(VERSION, VERSION, self));
    return switch (link.receive()) {
      case LinkMessage.Welcome(var version, var pool) -> {
        if (version != VERSION) {
          throw new ReplicationException(
              Reason.VERSION,
              "Expected version %d of the protocol, got %d.".formatted(VERSION, version));
        }
        if (!pool.id().equals(expected)) {
          throw new ReplicationException(
              Reason.FORBIDDEN, "Expected pool %s to answer, got %s.".formatted(expected, pool));
        }
        yield pool;
      }
      case LinkMessage.Failed(var reason, var sentence) ->
          throw new ReplicationException(reason, sentence);
      case LinkMessage other ->
          throw new ReplicationException(
              Reason.DAMAGED, "Expected a welcome, got " + other.getClass().getSimpleName() + ".");
    };
  }

  /// Answers the introduction of the pool that has connected.
  ///
  /// @param judge throws a [ReplicationException] if that pool may not connect; it is told so
  /// @return who has connected
  public static PoolName answer(Link link, PoolName self, Consumer<PoolName> judge) {
    if (!(link.receive() instanceof LinkMessage.Hello(var lowest, var highest, var pool))) {
      throw refused(
          link,
          new ReplicationException(
              Reason.DAMAGED, "Expected a hello as the first message, got another one."));
    }
    if (lowest > VERSION || highest < VERSION) {
      throw refused(
          link,
          new ReplicationException(
              Reason.VERSION,
              "Pool %s speaks version %d of the protocol, pool %s speaks %d to %d: upgrade the older one."
                  .formatted(self.name(), VERSION, pool.name(), lowest, highest)));
    }
    try {
      judge.accept(pool);
    } catch (ReplicationException e) {
      throw refused(link, e);
    }
    link.send(new LinkMessage.Welcome(VERSION, self));
    return pool;
  }

  private static ReplicationException refused(Link link, ReplicationException reason) {
    link.send(new LinkMessage.Failed(reason.reason(), reason.sentence()));
    return reason;
  }
}
