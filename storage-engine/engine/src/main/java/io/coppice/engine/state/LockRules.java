package io.coppice.engine.state;

import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.format.Change;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rules that keep locked snapshots. Every change of a pool is judged here before it enters the
/// log, so no caller can go around them. Replay repeats what was judged before.
///
/// No change but a deletion ends a snapshot, and none changes what a snapshot holds.
public final class LockRules {

  private final Function<VolumeId, @Nullable VolumeInfo> volumes;
  private final Supplier<Instant> time;

  /// @param time the lock time
  public LockRules(Function<VolumeId, @Nullable VolumeInfo> volumes, Supplier<Instant> time) {
    this.volumes = volumes;
    this.time = time;
  }

  /// Whether the change sets a lock: the lock time must be stable before it.
  public static boolean locks(Change change) {
    return switch (change) {
      case Change.Snapshot(var _, var specs) ->
          specs.stream().anyMatch(s -> s.attributes().containsKey(SnapshotLocks.ATTRIBUTE));
      case Change.Attributes(var _, var _, var put, var _) ->
          put.containsKey(SnapshotLocks.ATTRIBUTE);
      default -> false;
    };
  }

  /// Refuses changes of the engine's own record.
  ///
  /// @throws StorageException.InvalidRequest if one of them is of [SnapshotLocks#RECORD]
  public static void requireForeign(List<RecordChange> changes) {
    if (changes.stream().anyMatch(change -> change.key().equals(SnapshotLocks.RECORD))) {
      throw new StorageException.InvalidRequest(
          "Expected a record of a user of the pool, got %s, which is the engine's own."
              .formatted(SnapshotLocks.RECORD));
    }
  }

  /// Judges a change. Volumes that do not exist are none of its business.
  ///
  /// @throws StorageException.Locked if it would end a lock early
  /// @throws StorageException.InvalidRequest if it sets a lock that cannot be
  public void check(Change change) {
    switch (change) {
      case Change.Create(var _, var spec) -> requireNone(spec.attributes());
      case Change.Clone(var _, var spec) -> requireNone(spec.attributes());
      case Change.Publish(var _, var _, var spec, var _) -> requireNone(spec.attributes());
      case Change.Snapshot(var _, var specs) ->
          specs.stream().map(SnapshotSpec::attributes).forEach(this::requireNewLock);
      case Change.Delete(var _, var id) -> requireUnlocked(volumes.apply(id));
      case Change.Attributes(var _, var id, var put, var remove) ->
          checkAttributes(volumes.apply(id), put, remove);
      case Change.Revert _,
          Change.GroupRevert _,
          Change.Resize _,
          Change.Reserve _,
          Change.Records _,
          Change.Copied _,
          Change.Stage _,
          Change.Adopt _,
          Change.Unstage _,
          Change.Keep _,
          Change.Forget _,
          Change.Cut _,
          Change.Trim _,
          Change.Draft _,
          Change.Restore _ -> {} // leave snapshots as they are
    }
  }

  private static void requireNone(Map<String, String> attributes) {
    if (attributes.containsKey(SnapshotLocks.ATTRIBUTE)) {
      throw new StorageException.InvalidRequest("Expected a snapshot to lock, got a volume.");
    }
  }

  private void requireNewLock(Map<String, String> attributes) {
    String text = attributes.get(SnapshotLocks.ATTRIBUTE);
    if (text != null) {
      requirePossible(parsed(text), text);
    }
  }

  private void requirePossible(@Nullable Instant until, String text) {
    Instant now = time.get();
    if (until == null || !until.isAfter(now)) {
      throw new StorageException.InvalidRequest(
          "Expected the end of a lock after %s, the lock time of the pool, got %s."
              .formatted(now, text));
    }
    if (until.isAfter(now.plus(SnapshotLocks.LONGEST))) {
      throw new StorageException.InvalidRequest(
          "Expected a lock of at most %d days, got one until %s."
              .formatted(SnapshotLocks.LONGEST.toDays(), text));
    }
  }

  private void checkAttributes(
      @Nullable VolumeInfo volume, Map<String, String> put, Set<String> remove) {
    String text = put.get(SnapshotLocks.ATTRIBUTE);
    if (volume == null || (text == null && !remove.contains(SnapshotLocks.ATTRIBUTE))) {
      return;
    }
    if (volume.kind() != VolumeKind.SNAPSHOT) {
      requireNone(put);
      return;
    }
    Instant until = text == null ? null : parsed(text);
    Optional<Instant> held = lockedUntil(volume);
    if (held.isPresent() && (until == null || until.isBefore(held.get()))) {
      throw locked(volume.id(), held.get(), "its lock can only be lengthened");
    }
    if (text != null) {
      requirePossible(until, text);
    }
  }

  private void requireUnlocked(@Nullable VolumeInfo volume) {
    Optional<Instant> until = volume == null ? Optional.empty() : lockedUntil(volume);
    if (volume != null && until.isPresent()) {
      throw locked(volume.id(), until.get(), "nobody can delete it before");
    }
  }

  private static StorageException.Locked locked(VolumeId id, Instant until, String consequence) {
    return new StorageException.Locked(
        "Snapshot %s is locked until %s: %s.".formatted(id, until, consequence), until);
  }

  /// The end of a volume's lock; absent if it is not locked now.
  public Optional<Instant> lockedUntil(VolumeInfo volume) {
    String text = volume.attributes().get(SnapshotLocks.ATTRIBUTE);
    if (text == null || volume.kind() != VolumeKind.SNAPSHOT) {
      return Optional.empty();
    }
    return Optional.ofNullable(parsed(text)).filter(end -> end.isAfter(time.get()));
  }

  /// The time that an attribute says; null if it says none.
  static @Nullable Instant parsed(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
