package io.coppice.admin.access;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The notes of when tokens were used last. A thread beside the requests writes them, one at a
/// time, at most once in [#PAUSE] for each token; what cannot be written is left out.
///
/// Safe for any thread.
final class TokenUses {

  private static final Logger log = LoggerFactory.getLogger(TokenUses.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final Map<UUID, Instant> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean isWriting = new AtomicBoolean();

  TokenUses(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Notes a use.
  ///
  /// @param last the use that is noted already; before the epoch for none
  void note(UUID token, Instant last, Instant now) {
    if (now.isBefore(last.plus(PAUSE)) && !now.isBefore(last)) {
      return;
    }
    waiting.put(token, now);
    if (isWriting.compareAndSet(false, true)) {
      Thread.ofVirtual().name("token-uses").start(this::write);
    }
  }

  private void write() {
    try {
      for (Map.Entry<UUID, Instant> use : waiting.entrySet()) {
        waiting.remove(use.getKey(), use.getValue());
        jdbc.sql("update api_token set used_at = :at where id = :id")
            .param("at", use.getValue().atOffset(ZoneOffset.UTC))
            .param("id", use.getKey())
            .update();
      }
    } catch (RuntimeException e) { // whatever it is: nobody waits for it
      waiting.clear();
      log.atDebug().setCause(e).log("uses of tokens not noted");
    } finally {
      isWriting.set(false);
    }
  }
}
