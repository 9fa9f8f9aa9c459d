package io.coppice.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The locks of snapshots: until a time the engine refuses to delete a locked snapshot, whoever
/// asks. A lock can be lengthened, and never be shortened or taken away before its end.
///
/// A lock is the attribute [#ATTRIBUTE] of its snapshot, so a snapshot can also be taken with it.
/// Its end is judged by the *lock time* of the pool. This is no clock of the machine, because
/// somebody could set that. While the pool is open, the lock time goes on as the machine counts
/// nanoseconds. While it is closed, it stands still. If it is behind the machine's clock, it
/// catches up by an hour in 24 hours at most, so 96 % of a lock's time always pass while the pool
/// is open. It follows the clock at once only in an open that finds no lock which could end early.
///
/// Safe for any thread.
public interface SnapshotLocks {

  /// Name of the attribute: the end of the lock as ISO 8601, such as `2026-12-01T00:00:00Z`.
  String ATTRIBUTE = "coppice.lock";

  /// Key of the pool's record of the lock time. [PoolRecords#apply] refuses it.
  String RECORD = "engine/lock-time";

  /// Longest time from now that a lock may last: ten years.
  Duration LONGEST = Duration.ofDays(3653);

  /// The lock time.
  Instant now();

  /// The end of a snapshot's lock, by the lock time; absent if it is not locked now.
  Optional<Instant> lockedUntil(VolumeInfo volume);

  /// Every locked snapshot, in id order.
  List<VolumeInfo> locked();

  /// Locks a snapshot, or lengthens its lock. Repeating this with the same end changes nothing.
  ///
  /// @param until by the lock time; parts of a second are rounded up
  /// @throws StorageException.NotFound if the snapshot does not exist
  /// @throws StorageException.Locked if it is locked until later
  /// @throws StorageException.InvalidRequest if it is a volume, or the end is past or more than
  ///   [#LONGEST] away
  VolumeInfo lock(OperationId operation, VolumeId snapshot, Instant until);

  /// Stores the lock time, if a snapshot is locked and a minute has passed since the last time.
  /// What was not stored before a crash has not passed for the locks. Every lock stores it, too,
  /// and so does [StorageEngine#close].
  ///
  /// @throws StorageException if the pool fails; the next call tries again
  void keep();
}
