package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.setting.ScsiSettings;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/// The way in which every change of the directory is made: one at a time, each operation once,
/// computed from memory, applied as one record, and then read back. A repeated operation leaves the
/// records alone. So memory follows what the pool says and not what the call asked for.
final class DirectoryChanges {

  private final StorageEngine engine;
  private final ScsiSettings settings;
  private final DirectoryRecords records;
  private final DirectoryState state;
  private final PoolTime time;
  private final IdempotentChanges once = new IdempotentChanges();

  DirectoryChanges(
      StorageEngine engine, ScsiSettings settings, DirectoryRecords records, DirectoryState state) {
    this.engine = engine;
    this.settings = settings;
    this.records = records;
    this.state = state;
    this.time = new PoolTime(records, settings.directory().rest().time());
  }

  StorageEngine engine() {
    return engine;
  }

  ScsiSettings settings() {
    return settings;
  }

  DirectoryRecords records() {
    return records;
  }

  PoolTime time() {
    return time;
  }

  DirectoryState state() {
    return state;
  }

  /// Runs a change under the directory's lock, unless its operation has run before.
  ///
  /// @param type of the result
  <T> T once(OperationId operation, Class<T> type, Supplier<T> change) {
    return once.run(operation, type, change);
  }

  /// Takes the directory's lock, until the result is closed.
  IdempotentChanges.Held locked() {
    return once.locked();
  }

  /// Applies the changes, stable on return; nothing if there are none.
  void apply(OperationId operation, List<RecordChange> list) {
    if (!list.isEmpty()) {
      engine.records().apply(operation, list);
    }
  }

  VolumeInfo require(VolumeId volume) {
    return engine
        .find(volume)
        .orElseThrow(() -> refused(Reason.UNKNOWN, "volume %s does not exist".formatted(volume)));
  }

  /// The pool's time, by which freed numbers rest. Called with the lock.
  Instant now() {
    return time.now();
  }

  /// The machine's time, for people.
  Instant wallClock() {
    return settings.directory().clock().instant();
  }

  static RefusedException refused(Reason reason, String message) {
    return new RefusedException(reason, message);
  }
}
