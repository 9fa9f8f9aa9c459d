package io.coppice.admin.field;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.SnapshotLock;
import io.coppice.engine.SnapshotLocks;
import java.time.Duration;
import java.time.Instant;

/// The end of a lock, from the fields of a request.
public final class LockFields {

  private LockFields() {}

  /// @param now the lock time
  /// @throws RequestRejectedException if not exactly one field says when the lock ends, or it is no
  ///   length of time
  public static Instant end(SnapshotLock wanted, Instant now) {
    Instant until = wanted.until();
    if ((until == null) == (wanted.lockFor() == null)) {
      throw RequestRejectedException.field(
          until == null ? "until" : "lockFor",
          "expected either until or lockFor, got %s".formatted(until == null ? "neither" : "both"));
    }
    if (until != null) {
      return until;
    }
    Duration length = IsoDurations.parse("lockFor", wanted.lockFor());
    if (length == null || !length.isPositive() || length.compareTo(SnapshotLocks.LONGEST) > 0) {
      throw RequestRejectedException.field(
          "lockFor",
          "expected a length of time of up to %d days, got '%s'"
              .formatted(SnapshotLocks.LONGEST.toDays(), wanted.lockFor()));
    }
    return now.plus(length);
  }
}
