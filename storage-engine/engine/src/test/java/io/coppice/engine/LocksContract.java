package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The contract of every engine for locks of snapshots.
abstract class LocksContract extends LimitsContract {

  private Instant inDays(int days) {
    return engine.locks().now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(days));
  }

  private static Map<String, String> lockUntil(Object until) {
    return Map.of(SnapshotLocks.ATTRIBUTE, until.toString());
  }

  private VolumeInfo info(VolumeId id) {
    return engine.find(id).orElseThrow();
  }

  private void lock(VolumeId snapshot, Instant until) {
    engine.locks().lock(OperationId.random(), snapshot, until);
  }

  private void set(VolumeId id, Map<String, String> put, Set<String> remove) {
    engine.setAttributes(OperationId.random(), id, put, remove);
  }

  @Test
  void noCallEndsALockedSnapshotOrItsLock() {
    VolumeId volume = create(2 * MIB);
    ByteBuffer content = random(1, (int) MIB);
    write(volume, 0, content);
    VolumeId snapshot = snapshot(volume);
    Instant until = inDays(7);
    lock(snapshot, until);
    String attribute = SnapshotLocks.ATTRIBUTE;

    Map<String, ThrowingCallable> attempts = new LinkedHashMap<>();
    attempts.put("delete", () -> engine.delete(OperationId.random(), snapshot));
    attempts.put("take the lock away", () -> set(snapshot, Map.of(), Set.of(attribute)));
    attempts.put("shorten", () -> lock(snapshot, inDays(6)));
    attempts.put("shorten by hand", () -> set(snapshot, lockUntil(inDays(6)), Set.of(attribute)));
    attempts.put("end in the past", () -> lock(snapshot, inDays(-1)));
    attempts.put("empty", () -> set(snapshot, lockUntil(""), Set.of()));
    attempts.put("no time", () -> set(snapshot, lockUntil("never"), Set.of()));
    for (Map.Entry<String, ThrowingCallable> attempt : attempts.entrySet()) {
      StorageException.Locked refusal =
          catchThrowableOfType(StorageException.Locked.class, attempt.getValue());
      assertThat(refusal).as(attempt.getKey()).isNotNull();
      assertThat(refusal).hasMessageContaining(until.toString());
      assertThat(refusal.until()).isEqualTo(until);
    }

    set(snapshot, Map.of("name", "another"), Set.of());
    write(volume, 0, random(2, (int) MIB));
    engine.revert(OperationId.random(), volume, snapshot);
    VolumeId other = create(MIB);
    engine.revert(OperationId.random(), Map.of(volume, snapshot, other, snapshot(other)));
    engine.delete(OperationId.random(), volume);
    engine = reopened(engine);
    assertThat(engine.locks().lockedUntil(info(snapshot))).contains(until);
    assertThat(engine.locks().locked()).extracting(VolumeInfo::id).containsExactly(snapshot);
    assertThat(read(snapshot, 0, (int) MIB)).isEqualTo(content);
    assertThatThrownBy(() -> engine.delete(OperationId.random(), snapshot))
        .isInstanceOf(StorageException.Locked.class);
  }

  @Test
  void locksAreLengthenedAndRepeated() {
    VolumeId snapshot = snapshot(create(MIB));
    OperationId operation = OperationId.random();
    Instant first = inDays(1);
    Instant second = inDays(3);
    engine.locks().lock(operation, snapshot, first);

    lock(snapshot, second);
    lock(snapshot, second);
    engine.locks().lock(operation, snapshot, first);

    assertThat(engine.locks().lockedUntil(info(snapshot))).contains(second);
  }

  @Test
  void snapshotsAreTakenWithALock() {
    VolumeId volume = create(MIB);
    VolumeId id = VolumeId.random();
    Instant until = inDays(2);
    engine.snapshot(
        OperationId.random(), List.of(new SnapshotSpec(volume, id, lockUntil(until))), TIMEOUT);

    engine = reopened(engine);

    assertThat(engine.locks().lockedUntil(info(id))).contains(until);
  }

  @Test
  void locksThatCannotBeAreRefused() {
    VolumeId volume = create(MIB);
    VolumeId snapshot = snapshot(volume);
    Map<String, String> lock = lockUntil(inDays(1));
    VolumeId other = VolumeId.random();
    List<ThrowingCallable> attempts =
        List.of(
            () -> lock(volume, inDays(1)),
            () -> lock(snapshot, inDays(-1)),
            () -> lock(snapshot, inDays(3700)),
            () -> lock(snapshot, Instant.MAX.minusSeconds(1)),
            () -> set(snapshot, lockUntil("tomorrow"), Set.of()),
            () -> engine.create(OperationId.random(), new VolumeSpec(other, MIB, false, lock)),
            () -> engine.clone(OperationId.random(), new CloneSpec(snapshot, other, false, lock)),
            () ->
                engine.snapshot(
                    OperationId.random(),
                    List.of(new SnapshotSpec(volume, other, lockUntil(inDays(-1)))),
                    TIMEOUT),
            () ->
                engine
                    .records()
                    .apply(
                        OperationId.random(),
                        List.of(new RecordChange.Remove(SnapshotLocks.RECORD))));

    for (ThrowingCallable attempt : attempts) {
      assertThatThrownBy(attempt).isInstanceOf(StorageException.InvalidRequest.class);
    }
    assertThat(engine.locks().locked()).isEmpty();
    assertThatThrownBy(() -> lock(other, inDays(1))).isInstanceOf(StorageException.NotFound.class);
    engine.delete(OperationId.random(), snapshot);
  }
}
