package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.status.PoolStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The service of an open pool. Only this place knows whether the pool serves, is degraded or has
/// stopped, why, and since when. Safe for any thread.
public final class PoolService {

  private static final Logger LOGGER = System.getLogger(PoolService.class.getName());

  private final InstantSource clock;
  private final Instant opened;
  private volatile @Nullable StorageException refusal; // set once
  private @Nullable PoolStatus stopped; // guarded by this; set once
  private PoolStatus seen; // guarded by this: the state of a pool that runs, at the last look

  public PoolService(InstantSource clock) {
    this.clock = clock;
    opened = clock.instant();
    seen = new PoolStatus(PoolStatus.State.SERVING, opened, "");
  }

  /// Refuses all calls from now on, because the pool is being closed in order.
  public void close(StorageException why) {
    if (refusal == null) {
      refusal = why;
    }
  }

  /// Refuses all calls from now on, because the pool has failed. Says so in the log once.
  public void fail(StorageException why) {
    synchronized (this) {
      if (stopped != null) {
        return;
      }
      stopped =
          new PoolStatus(
              PoolStatus.State.STOPPED, clock.instant(), String.valueOf(why.getMessage()));
      close(why);
    }
    LOGGER.log(
        Level.ERROR,
        "The pool serves no I/O any more, until the process is started anew: " + why.getMessage(),
        why);
  }

  /// @throws StorageException.DeviceFailed if the pool is closed or has failed
  public void check() {
    StorageException why = refusal;
    if (why != null) {
      throw CrossThreadFailures.here(why);
    }
  }

  /// The state now. A pool counts as degraded since the first look that found it so.
  ///
  /// @param reserves each a sentence about something missing that the service relies on, or empty
  public synchronized PoolStatus look(List<Supplier<String>> reserves) {
    PoolStatus end = stopped;
    if (end != null) {
      return end;
    }
    List<String> missing =
        reserves.stream().map(Supplier::get).filter(sentence -> !sentence.isEmpty()).toList();
    PoolStatus.State state =
        missing.isEmpty() ? PoolStatus.State.SERVING : PoolStatus.State.DEGRADED;
    Instant since = state == seen.state() ? seen.since() : clock.instant();
    seen = new PoolStatus(state, since, String.join(" ", missing));
    return seen;
  }
}
