package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// What every engine does, continued: what each method refuses, and repeated operations.
abstract class LimitsContract extends VersionContract {

  // --- refusals
  // -------------------------------------------------------------------------------------

  @Test
  void everyMethodRefusesAnUnknownVolume() {
    VolumeId known = create(MIB);
    VolumeId unknown = VolumeId.random();
    ByteRange segment = new ByteRange(0, MIB);

    notFound(() -> engine.open(unknown));
    notFound(() -> snapshot(unknown));
    notFound(() -> cloneOf(unknown));
    notFound(() -> engine.revert(OperationId.random(), unknown, known));
    notFound(() -> engine.revert(OperationId.random(), known, unknown));
    notFound(() -> engine.resize(OperationId.random(), unknown, 2 * MIB));
    notFound(() -> engine.reserve(OperationId.random(), unknown, true));
    notFound(() -> engine.delete(OperationId.random(), unknown));
    notFound(() -> engine.setAttributes(OperationId.random(), unknown, Map.of(), Set.of()));
    notFound(() -> engine.copyDiffs(OperationId.random(), unknown, known, known));
    notFound(() -> engine.copyDiffs(OperationId.random(), known, unknown, known));
    notFound(() -> engine.copyDiffs(OperationId.random(), known, known, unknown));
    notFound(() -> engine.allocated(unknown, segment, 4096));
    notFound(() -> engine.unshared(unknown, known, segment, 4096));
    notFound(() -> engine.unshared(known, unknown, segment, 4096));
    notFound(() -> engine.differences(unknown, null, DifferencePart.Place.START, 1));
    notFound(() -> engine.differences(known, unknown, DifferencePart.Place.START, 1));
    notFound(() -> engine.spaceOf(unknown));
    assertThat(engine.find(unknown)).isEmpty();
    assertThat(engine.list()).hasSize(1);
  }

  @Test
  void aSnapshotRefusesEveryChangeAndKeepsItsBytes() {
    VolumeId id = create(MIB);
    write(id, 0, random(1, 8192));
    VolumeId snapshot = snapshot(id);
    Volume volume = engine.open(snapshot);
    ByteBuffer block = random(2, 4096);

    readOnly(() -> Await.io(done -> volume.write(0, block.duplicate(), done)));
    readOnly(() -> Await.io(done -> volume.writeSame(0, 8192, block.duplicate(), done)));
    readOnly(() -> Await.io(done -> volume.writeZeroes(0, 4096, done)));
    readOnly(() -> Await.io(done -> volume.unmap(0, 4096, done)));
    readOnly(() -> compareAndWrite(snapshot, 0, random(1, 4096), block.duplicate()));
    readOnly(() -> copy(id, 0, snapshot, 0, 4096));
    readOnly(() -> engine.resize(OperationId.random(), snapshot, 2 * MIB));
    readOnly(() -> engine.revert(OperationId.random(), snapshot, snapshot));
    readOnly(() -> engine.copyDiffs(OperationId.random(), id, snapshot, snapshot));
    assertThat(volume.kind()).isEqualTo(VolumeKind.SNAPSHOT);
    assertThat(read(snapshot, 0, 8192)).isEqualTo(random(1, 8192));
  }

  @Test
  void aHandleOfADeletedVolumeFailsInEveryMethod() {
    VolumeId id = create(MIB);
    VolumeId other = create(MIB);
    Volume volume = engine.open(id);
    Volume target = engine.open(other);
    engine.delete(OperationId.random(), id);
    ByteBuffer block = random(1, 4096);

    notFound(() -> Await.io(done -> volume.read(0, ByteBuffer.allocateDirect(512), done)));
    notFound(() -> Await.io(done -> volume.write(0, block.duplicate(), done)));
    notFound(() -> Await.io(done -> volume.writeSame(0, 4096, block.duplicate(), done)));
    notFound(() -> Await.io(done -> volume.writeZeroes(0, 4096, done)));
    notFound(() -> Await.io(done -> volume.unmap(0, 4096, done)));
    notFound(
        () ->
            Await.compare(
                done -> volume.compareAndWrite(0, block.duplicate(), block.duplicate(), done)));
    notFound(() -> Await.io(done -> volume.copyFrom(target, 0, 0, 4096, done)));
    notFound(() -> Await.io(done -> target.copyFrom(volume, 0, 0, 4096, done)));
    notFound(() -> volume.status(0, 1));
  }

  @Test
  void rangesAndBuffersOutsideTheRulesAreInvalid() {
    VolumeId id = create(MIB);
    Volume volume = engine.open(id);
    ByteBuffer block = random(1, 4096);

    invalid(() -> Await.io(done -> volume.unmap(256, 4096, done)));
    invalid(() -> Await.io(done -> volume.unmap(0, MIB + 512, done)));
    invalid(() -> Await.io(done -> volume.writeZeroes(0, -512, done)));
    invalid(() -> Await.io(done -> volume.writeSame(0, 8192, random(1, 256), done)));
    invalid(() -> Await.io(done -> volume.writeSame(0, 8192, random(1, 8192), done)));
    invalid(() -> Await.io(done -> volume.writeSame(0, 4608, block.duplicate(), done)));
    invalid(() -> compareAndWrite(id, 0, random(1, 512), random(1, 1024)));
    invalid(() -> compareAndWrite(id, MIB - 512, random(1, 1024), random(1, 1024)));
    invalid(() -> copy(id, 0, id, 4096, 8192));
    invalid(() -> copy(id, 0, id, MIB - 4096, 8192));
    invalid(() -> copy(id, MIB - 4096, id, 0, 8192));
    invalid(() -> engine.allocated(id, new ByteRange(0, MIB), 1000));
    invalid(() -> engine.allocated(id, new ByteRange(0, MIB), 0));
    invalid(() -> engine.unshared(id, id, new ByteRange(0, 2 * MIB), 4096));
    invalid(() -> engine.differences(id, null, DifferencePart.Place.START, 0));
    invalid(() -> engine.differences(id, id, new DifferencePart.Place(-4096, 1, 1), 1));
    invalid(() -> engine.differences(id, id, new DifferencePart.Place(512, 1, 1), 1));
    invalid(() -> engine.snapshot(OperationId.random(), List.of(), TIMEOUT));
    assertThat(engine.spaceOf(id).mapped()).isZero();
    copy(id, 0, id, 8192, 8192);
  }

  @Test
  void takenIdsAreRefused() {
    VolumeId id = create(MIB);
    VolumeId snapshot = snapshot(id);
    VolumeId fresh = VolumeId.random();

    alreadyExists(() -> engine.create(OperationId.random(), VolumeSpec.thin(snapshot, MIB)));
    alreadyExists(
        () -> engine.clone(OperationId.random(), new CloneSpec(snapshot, id, false, Map.of())));
    alreadyExists(
        () ->
            engine.snapshot(
                OperationId.random(),
                List.of(
                    new SnapshotSpec(id, fresh, Map.of()), new SnapshotSpec(id, fresh, Map.of())),
                TIMEOUT));
    assertThat(engine.find(fresh)).isEmpty();
  }

  @Test
  void aFailedReadLeavesTheBufferWhereItWasAndAGoodOneAdvancesIt() {
    VolumeId id = create(MIB);
    write(id, 512, random(1, 1024));
    ByteBuffer into = ByteBuffer.allocateDirect(2048).position(512).limit(1536);

    invalid(() -> Await.io(done -> engine.open(id).read(MIB, into, done)));
    assertThat(into.position()).isEqualTo(512);
    Await.io(done -> engine.open(id).read(512, into, done));

    assertThat(into.position()).isEqualTo(1536);
    assertThat(into.slice(512, 1024)).isEqualTo(random(1, 1024));
    assertThat(into.clear().slice(0, 512)).isEqualTo(ByteBuffer.allocate(512));
  }

  @Test
  void aWriteUsesTheBufferFromItsPositionToItsLimit() {
    VolumeId id = create(MIB);
    ByteBuffer data = random(1, 16384);

    ByteBuffer part = ByteBuffer.allocateDirect(16384).put(data.duplicate());
    part.position(1024).limit(1024 + 4608);
    Await.io(done -> engine.open(id).write(8192, part, done));

    assertThat(read(id, 8192, 4608)).isEqualTo(data.slice(1024, 4608));
    assertThat(read(id, 8192 + 4608, 512)).isEqualTo(ByteBuffer.allocate(512));
  }

  @Test
  void attributesKeepTheirLimits() {
    VolumeId id = create(MIB);
    String longest = "ä".repeat(StorageEngine.MAX_ATTRIBUTE_NAME_BYTES / 2);
    String value = "v".repeat(StorageEngine.MAX_ATTRIBUTE_VALUE_BYTES);

    engine.setAttributes(OperationId.random(), id, Map.of(longest, value), Set.of());
    invalid(() -> set(id, Map.of(longest + "a", "")));
    invalid(() -> set(id, Map.of("", "value")));
    invalid(() -> set(id, Map.of("name", value + "v")));
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 8; i++) {
      many.put("name-" + i, value);
    }
    invalid(() -> set(id, many));
    invalid(
        () ->
            engine.create(
                OperationId.random(), new VolumeSpec(VolumeId.random(), MIB, false, many)));
    engine = reopened(engine);

    assertThat(engine.find(id).orElseThrow().attributes()).isEqualTo(Map.of(longest, value));
    assertThat(engine.list()).hasSize(1);
  }

  private void set(VolumeId id, Map<String, String> attributes) {
    engine.setAttributes(OperationId.random(), id, attributes, Set.of());
  }

  @Test
  void recordsKeepTheirLimitsAndChangeAllOrNothing() {
    String key = "ä".repeat(PoolRecords.MAX_KEY_BYTES / 2);
    String value = "v".repeat(PoolRecords.MAX_VALUE_BYTES);
    List<RecordChange> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(new RecordChange.Put("many/%03d".formatted(i), value));
    }

    apply(List.of(new RecordChange.Put(key, value), new RecordChange.Put("empty", "")));
    apply(many);
    invalid(() -> apply(List.of(new RecordChange.Put("a", "1"), put(key + "a", ""))));
    invalid(() -> apply(List.of(new RecordChange.Put("a", "1"), put("b", value + "v"))));
    invalid(() -> apply(List.of(new RecordChange.Put("a", "1"), new RecordChange.Remove(""))));
    apply(List.of(put("many/050", "new"), put("twice", "1"), put("twice", "2")));
    apply(List.of(new RecordChange.Remove("absent"), new RecordChange.Remove("many/000")));
    engine = reopened(engine);

    PoolRecords records = engine.records();
    assertThat(records.find("a")).isEmpty();
    assertThat(records.find("empty")).contains("");
    assertThat(records.find(key)).contains(value);
    assertThat(records.find("twice")).contains("2");
    assertThat(records.find("many/050")).contains("new");
    assertThat(List.copyOf(records.withPrefix("many/").keySet())).hasSize(99).isSorted();
    assertThat(records.withPrefix("many/05")).hasSize(10);
    assertThat(records.withPrefix("")).hasSize(102);
    assertThat(records.withPrefix("x")).isEmpty();
  }

  private static RecordChange put(String key, String value) {
    return new RecordChange.Put(key, value);
  }

  private void apply(List<RecordChange> changes) {
    engine.records().apply(OperationId.random(), changes);
  }

  @Test
  void aClosedEngineDoesNothingAnyMore() {
    VolumeId id = create(MIB);
    Volume volume = engine.open(id);

    engine.close();

    assertThatThrownBy(() -> Await.io(done -> volume.write(0, random(1, 512), done)))
        .isInstanceOf(StorageException.DeviceFailed.class);
    assertThatThrownBy(() -> Await.io(done -> volume.read(0, ByteBuffer.allocateDirect(512), done)))
        .isInstanceOf(StorageException.DeviceFailed.class);
    assertThatThrownBy(() -> create(MIB)).isInstanceOf(StorageException.DeviceFailed.class);
    assertThatThrownBy(() -> snapshot(id)).isInstanceOf(StorageException.DeviceFailed.class);
    assertThatThrownBy(() -> apply(List.of(new RecordChange.Put("a", "1"))))
        .isInstanceOf(StorageException.DeviceFailed.class);
  }

  // --- repeats
  // --------------------------------------------------------------------------------------

  @Test
  void aRepeatedCreateDoesNotBringADeletedVolumeBack() {
    OperationId operation = OperationId.random();
    VolumeSpec spec = new VolumeSpec(VolumeId.random(), MIB, false, Map.of("a", "b"));
    VolumeInfo created = engine.create(operation, spec);
    assertThat(engine.create(operation, spec)).isEqualTo(created);
    engine.delete(OperationId.random(), spec.id());
    engine = reopened(engine);

    assertThat(engine.create(operation, spec)).isEqualTo(created);
    assertThat(engine.list()).isEmpty();
  }

  @Test
  void aRepeatedSnapshotIsTheFirstOne() {
    VolumeId id = create(MIB);
    write(id, 0, random(1, 4096));
    OperationId operation = OperationId.random();
    List<SnapshotSpec> specs = List.of(new SnapshotSpec(id, VolumeId.random(), Map.of("a", "b")));
    assertThatThrownBy(() -> engine.snapshot(operation, specs, Duration.ZERO))
        .isInstanceOf(StorageException.TimedOut.class);
    List<VolumeInfo> taken = engine.snapshot(operation, specs, TIMEOUT);
    write(id, 0, random(2, 4096));
    engine = reopened(engine);

    assertThat(engine.snapshot(operation, specs, TIMEOUT)).isEqualTo(taken);
    assertThat(read(specs.getFirst().id(), 0, 4096)).isEqualTo(random(1, 4096));
  }

  @Test
  void repeatedChangesOfOneVolumeUndoNothingLater() {
    VolumeId id = create(MIB);
    OperationId resize = OperationId.random();
    OperationId reserve = OperationId.random();
    OperationId attributes = OperationId.random();
    OperationId put = OperationId.random();
    VolumeInfo resized = engine.resize(resize, id, 2 * MIB);
    VolumeInfo reserved = engine.reserve(reserve, id, true);
    VolumeInfo set = engine.setAttributes(attributes, id, Map.of("a", "1"), Set.of());
    engine.records().apply(put, List.of(new RecordChange.Put("key", "1")));
    engine.resize(OperationId.random(), id, 3 * MIB);
    engine.reserve(OperationId.random(), id, false);
    engine.setAttributes(OperationId.random(), id, Map.of("a", "2"), Set.of());
    apply(List.of(new RecordChange.Put("key", "2")));
    VolumeInfo now = engine.find(id).orElseThrow();
    engine = reopened(engine);

    assertThat(engine.resize(resize, id, 2 * MIB)).isEqualTo(resized);
    assertThat(engine.reserve(reserve, id, true)).isEqualTo(reserved);
    assertThat(engine.setAttributes(attributes, id, Map.of("a", "1"), Set.of())).isEqualTo(set);
    engine.records().apply(put, List.of(new RecordChange.Put("key", "1")));
    assertThat(engine.find(id)).contains(now);
    assertThat(now.sizeInBytes()).isEqualTo(3 * MIB);
    assertThat(engine.records().find("key")).contains("2");
  }

  @Test
  void whatHappenedIsRememberedAndNothingElse() {
    OperationId happened = OperationId.random();
    OperationId refused = OperationId.random();
    VolumeId id = VolumeId.random();
    engine.create(happened, VolumeSpec.thin(id, MIB));
    assertThatThrownBy(() -> engine.create(refused, VolumeSpec.thin(id, MIB)))
        .isInstanceOf(StorageException.AlreadyExists.class);
    engine = reopened(engine);

    assertThat(engine.remembers(happened)).isTrue();
    assertThat(engine.remembers(refused)).isFalse();
    assertThat(engine.remembers(OperationId.random())).isFalse();
  }

  @Test
  void aRepeatedCopyOfDifferencesCopiesNothing() {
    VolumeId id = create(MIB);
    VolumeId base = snapshot(id);
    write(id, 4096, random(1, 8192));
    VolumeId target = create(MIB);
    OperationId operation = OperationId.random();
    assertThat(engine.copyDiffs(operation, id, base, target)).isEqualTo(8192);
    write(target, 4096, random(2, 4096));
    engine = reopened(engine);

    assertThat(engine.copyDiffs(operation, id, base, target)).isEqualTo(8192);
    assertThat(read(target, 4096, 4096)).isEqualTo(random(2, 4096));
    assertThat(read(target, 8192, 4096)).isEqualTo(random(1, 8192).slice(4096, 4096));
    engine.resize(OperationId.random(), id, 2 * MIB);
    invalid(() -> engine.copyDiffs(OperationId.random(), id, base, target));
  }

  private static void notFound(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StorageException.NotFound.class);
  }

  private static void readOnly(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StorageException.ReadOnly.class);
  }

  private static void invalid(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StorageException.InvalidRequest.class);
  }

  private static void alreadyExists(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StorageException.AlreadyExists.class);
  }
}
