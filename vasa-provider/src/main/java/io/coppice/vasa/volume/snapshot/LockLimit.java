package io.coppice.vasa.volume.snapshot;

import java.time.Duration;
import org.springframework.stereotype.Component;

/// The limit to the length of a lock.
@Component
public final class LockLimit {

  private static final Duration LONGEST = Duration.ofDays(30);

  /// The longest time from now for which a snapshot may be locked.
  public Duration longest() {
    return LONGEST;
  }
}
