package io.coppice.scsi.directory.pool;

import io.coppice.engine.RecordChange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The time by which freed numbers rest. It goes on only while the pool is served, from where it
/// stood when that last ended. So neither a clock that jumps nor one that is wrong after a restart
/// shortens a rest. Time without service, or after the last record before a crash, is not counted.
/// Not safe for threads: guarded by the directory's lock.
final class PoolTime {

  private final InstantSource source;
  private final Instant from;
  private final Instant base;

  /// @param records say where the time stood; if they never said it, it begins with the source
  PoolTime(DirectoryRecords records, InstantSource source) {
    this.source = source;
    this.from = source.instant();
    this.base = records.poolTime().orElse(from);
  }

  Instant now() {
    Instant at = source.instant();
    return at.isBefore(from) ? base : base.plusNanos(Duration.between(from, at).toNanos());
  }

  /// The change that keeps the time as it is now.
  RecordChange kept() {
    return DirectoryRecords.putPoolTime(now());
  }
}
