package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What every engine does, continued: snapshots, clones, reverts, bitmaps, reservations, records.
abstract class VersionContract extends StorageEngineContract {

  @Test
  void aSnapshotKeepsItsContentWhateverHappensToTheVolume() {
    VolumeId id = create(4 * MIB);
    ByteBuffer before = random(1, (int) MIB);
    write(id, 0, before);
    VolumeId snapshot = snapshot(id);

    write(id, 4096, random(2, 64 << 10));
    engine.resize(OperationId.random(), id, 8 * MIB);
    engine.delete(OperationId.random(), id);
    engine = reopened(engine);

    assertThat(read(snapshot, 0, (int) MIB)).isEqualTo(before);
    assertThat(engine.find(snapshot).orElseThrow().sizeInBytes()).isEqualTo(4 * MIB);
    assertThat(engine.find(snapshot).orElseThrow().origin()).isEqualTo(id);
  }

  @Test
  void snapshotsAndClonesTakeNoSpace() {
    VolumeId id = create(8 * MIB);
    write(id, 0, random(3, (int) (4 * MIB)));
    long used = engine.space().used();

    VolumeId snapshot = snapshot(id);
    List<VolumeId> clones = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      clones.add(cloneOf(snapshot));
    }

    assertThat(engine.space().used() - used).isLessThan(MIB / 4);
    assertThat(engine.spaceOf(clones.getFirst()).mapped()).isEqualTo(4 * MIB);
    assertThat(engine.spaceOf(clones.getFirst()).unique()).isZero();
  }

  @Test
  void revertRestoresContentAndSizeAndKeepsAllSnapshots() {
    VolumeId id = create(2 * MIB);
    write(id, 0, random(4, 8192));
    VolumeId first = snapshot(id);
    write(id, 0, random(5, 8192));
    VolumeId second = snapshot(id);
    engine.resize(OperationId.random(), id, 4 * MIB);
    write(id, 0, random(6, 8192));

    VolumeInfo reverted = engine.revert(OperationId.random(), id, first);
    assertThat(reverted.sizeInBytes()).isEqualTo(2 * MIB);
    assertThat(read(id, 0, 8192)).isEqualTo(random(4, 8192));
    engine.revert(OperationId.random(), id, second);
    engine = reopened(engine);

    assertThat(read(id, 0, 8192)).isEqualTo(random(5, 8192));
    assertThat(read(first, 0, 8192)).isEqualTo(random(4, 8192));
    assertThat(read(second, 0, 8192)).isEqualTo(random(5, 8192));
    write(id, 0, random(7, 4096));
    assertThat(read(second, 0, 8192)).isEqualTo(random(5, 8192));
  }

  @Test
  void volumesAreRevertedTogether() {
    List<VolumeId> volumes = List.of(create(2 * MIB), create(MIB), create(3 * MIB));
    Map<VolumeId, VolumeId> snapshots = new LinkedHashMap<>();
    for (VolumeId id : volumes.reversed()) {
      write(id, 0, random(id.hashCode(), 8192));
      snapshots.put(id, snapshot(id));
      write(id, 4096, random(5, 8192));
      engine.resize(OperationId.random(), id, 4 * MIB);
    }

    List<VolumeInfo> reverted = engine.revert(OperationId.random(), snapshots);

    assertThat(reverted)
        .extracting(VolumeInfo::id)
        .as("the order of the map")
        .containsExactlyElementsOf(snapshots.keySet());
    engine = reopened(engine);
    for (VolumeInfo info : reverted) {
      VolumeId snapshot = snapshots.get(info.id());
      assertThat(engine.find(info.id())).contains(info);
      assertThat(info.sizeInBytes()).isEqualTo(engine.find(snapshot).orElseThrow().sizeInBytes());
      assertThat(read(info.id(), 0, 8192)).isEqualTo(random(info.id().hashCode(), 8192));
      assertThat(read(info.id(), 8192, 4096)).isEqualTo(ByteBuffer.allocate(4096));
      write(info.id(), 0, random(6, 4096));
      assertThat(read(snapshot, 0, 8192)).isEqualTo(random(info.id().hashCode(), 8192));
    }
  }

  @Test
  void oneWrongPairOfAGroupRevertChangesNothing() {
    VolumeId id = create(MIB);
    VolumeId other = create(MIB);
    VolumeId own = snapshot(id);
    VolumeId ofOther = snapshot(other);
    ByteBuffer later = random(7, 4096);
    write(id, 0, later);
    write(other, 0, later);
    List<VolumeInfo> before = engine.list();

    for (boolean last : new boolean[] {true, false}) {
      refused(StorageException.Unrelated.class, last, id, own, other, own);
      refused(StorageException.Unrelated.class, last, id, own, other, id);
      refused(StorageException.ReadOnly.class, last, id, own, ofOther, ofOther);
      refused(StorageException.NotFound.class, last, id, own, other, VolumeId.random());
      refused(StorageException.NotFound.class, last, id, own, VolumeId.random(), ofOther);
    }
    Map<VolumeId, VolumeId> many = new LinkedHashMap<>(Map.of(id, own));
    while (many.size() <= StorageEngine.MAX_GROUP) {
      many.put(VolumeId.random(), ofOther);
    }
    assertThatThrownBy(() -> engine.revert(OperationId.random(), many))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> engine.revert(OperationId.random(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(engine.list()).isEqualTo(before);
    assertThat(read(id, 0, 4096)).isEqualTo(later);
    assertThat(read(other, 0, 4096)).isEqualTo(later);
  }

  /// A right pair, and a wrong one that is the last, or the first.
  private void refused(
      Class<?> how,
      boolean last,
      VolumeId id,
      VolumeId snapshot,
      VolumeId wrong,
      VolumeId wrongSnapshot) {
    Map<VolumeId, VolumeId> snapshots = new LinkedHashMap<>();
    snapshots.put(last ? id : wrong, last ? snapshot : wrongSnapshot);
    snapshots.put(last ? wrong : id, last ? wrongSnapshot : snapshot);
    OperationId operation = OperationId.random();
    assertThatThrownBy(() -> engine.revert(operation, snapshots)).isInstanceOf(how);
    assertThat(engine.remembers(operation)).isFalse();
  }

  @Test
  void aRepeatedGroupRevertChangesNothing() {
    VolumeId id = create(MIB);
    VolumeId other = create(MIB);
    Map<VolumeId, VolumeId> snapshots = Map.of(id, snapshot(id), other, snapshot(other));
    OperationId operation = OperationId.random();
    List<VolumeInfo> reverted = engine.revert(operation, snapshots);
    write(id, 0, random(8, 4096));
    engine.resize(OperationId.random(), other, 2 * MIB);
    snapshots.values().forEach(snapshot -> engine.delete(OperationId.random(), snapshot));
    engine = reopened(engine);

    assertThat(engine.revert(operation, snapshots)).isEqualTo(reverted);

    assertThat(read(id, 0, 4096)).isEqualTo(random(8, 4096));
    assertThat(engine.find(other).orElseThrow().sizeInBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void onlyASnapshotOfTheVolumeItselfIsRevertedTo() {
    VolumeId id = create(MIB);
    VolumeId other = create(MIB);
    VolumeId foreign = snapshot(other);
    VolumeId own = snapshot(id);

    assertThatThrownBy(() -> engine.revert(OperationId.random(), id, foreign))
        .isInstanceOf(StorageException.Unrelated.class);
    assertThatThrownBy(() -> engine.revert(OperationId.random(), id, other))
        .isInstanceOf(StorageException.Unrelated.class);
    assertThatThrownBy(() -> engine.revert(OperationId.random(), own, own))
        .isInstanceOf(StorageException.ReadOnly.class);
  }

  @Test
  void aRepeatedOperationReturnsTheFirstResultAndChangesNothing() {
    VolumeId id = create(MIB);
    write(id, 0, random(8, 4096));
    VolumeId snapshot = snapshot(id);
    OperationId revert = OperationId.random();
    OperationId cloning = OperationId.random();
    CloneSpec spec = new CloneSpec(snapshot, VolumeId.random(), false, Map.of("a", "b"));
    VolumeInfo cloned = engine.clone(cloning, spec);
    engine.revert(revert, id, snapshot);
    write(id, 0, random(9, 4096));
    engine = reopened(engine);

    engine.revert(revert, id, snapshot);

    assertThat(read(id, 0, 4096)).isEqualTo(random(9, 4096));
    assertThat(engine.clone(cloning, spec)).isEqualTo(cloned);
    OperationId delete = OperationId.random();
    engine.delete(delete, spec.id());
    engine.delete(delete, spec.id());
    assertThatThrownBy(() -> engine.delete(OperationId.random(), spec.id()))
        .isInstanceOf(StorageException.NotFound.class);
  }

  @Test
  void versionsAreDeletedInAnyOrderAndTheirSpaceComesBack() {
    for (long seed = 0; seed < 12; seed++) {
      Random random = new Random(seed * 7919);
      VolumeId head = create(2 * MIB);
      List<VolumeId> all = new ArrayList<>(List.of(head));
      Map<VolumeId, ByteBuffer> expected = new java.util.HashMap<>();
      for (int i = 0; i < 8; i++) {
        VolumeId writable = random.nextInt(3) == 0 ? cloneOf(pick(all, random)) : head;
        if (!all.contains(writable)) {
          all.add(writable);
        }
        write(writable, 4096L * random.nextInt(250), random(seed * 100 + i, 32 << 10));
        all.add(snapshot(writable));
      }
      all.forEach(id -> expected.put(id, read(id, 0, (int) (2 * MIB))));
      Collections.shuffle(all, random);

      for (VolumeId victim : List.copyOf(all)) {
        engine.delete(OperationId.random(), victim);
        all.remove(victim);
        for (VolumeId survivor : all) {
          assertThat(read(survivor, 0, (int) (2 * MIB)))
              .as("seed %d: %s after the deletion of %s", seed, survivor, victim)
              .isEqualTo(expected.get(survivor));
        }
      }
      awaitNothingUsed(seed);
    }
  }

  private static VolumeId pick(List<VolumeId> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private void awaitNothingUsed(long seed) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (engine.space().used() > 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(engine.space().used()).as("seed %d: used without volumes", seed).isZero();
  }

  @Test
  void bitmapsAgreeWithAByteCompare() {
    VolumeId id = create(4 * MIB);
    write(id, 0, random(20, (int) MIB));
    VolumeId snapshot = snapshot(id);
    write(id, 64 << 10, random(21, 4096));
    write(id, 2 * MIB, random(22, 512));
    ByteRange all = new ByteRange(0, 4 * MIB);

    ChunkBitmap unshared = engine.unshared(id, snapshot, all, 64 << 10);
    ChunkBitmap allocated = engine.allocated(id, all, 64 << 10);

    assertThat(unshared.chunkCount()).isEqualTo(64);
    assertThat(unshared.set().stream().boxed()).containsExactly(1, 32);
    assertThat(allocated.set().stream().boxed())
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 32);
    assertThat(engine.unshared(snapshot, id, new ByteRange(0, MIB), 4096).set().stream().boxed())
        .containsExactly(16);
    assertThatThrownBy(() -> engine.allocated(id, new ByteRange(0, 5 * MIB), 4096))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> engine.unshared(id, create(MIB), new ByteRange(0, MIB), 4096))
        .isInstanceOf(StorageException.Unrelated.class);
  }

  @Test
  void differencesAreRangesThatGoOnInTheNextPart() {
    VolumeId id = create(4 * MIB);
    write(id, 0, random(20, (int) MIB));
    VolumeId snapshot = snapshot(id);
    write(id, 64 << 10, random(21, 8192));
    write(id, (64 << 10) + 8192, random(22, 512));
    Await.io(done -> engine.open(id).unmap(128 << 10, 4096, done));
    engine.resize(OperationId.random(), id, 4 * MIB + 512);
    write(id, 4 * MIB, random(23, 512));

    DifferencePart first = engine.differences(id, snapshot, DifferencePart.Place.START, 2);
    assertThat(first.ranges())
        .containsExactly(new ByteRange(64 << 10, 12288), new ByteRange(128 << 10, 4096));
    DifferencePart.Place place = Objects.requireNonNull(first.next());
    DifferencePart second = engine.differences(id, snapshot, place, 2);
    assertThat(second.ranges()).containsExactly(new ByteRange(4 * MIB, 512));
    assertThat(second.next()).isNull();
    assertThat(engine.differences(id, null, DifferencePart.Place.START, 9).ranges())
        .containsExactly(
            new ByteRange(0, 128 << 10),
            new ByteRange(132 << 10, MIB - (132 << 10)),
            new ByteRange(4 * MIB, 512));
    assertThatThrownBy(() -> engine.differences(id, create(MIB), DifferencePart.Place.START, 1))
        .isInstanceOf(StorageException.Unrelated.class);
  }

  @Test
  void copyDiffsBringsATargetUpToDate() {
    VolumeId id = create(4 * MIB);
    write(id, 0, random(23, (int) MIB));
    VolumeId base = snapshot(id);
    VolumeId target = create(4 * MIB);
    engine.copyDiffs(OperationId.random(), base, base, target);
    assertThat(engine.spaceOf(target).mapped()).isZero();
    copy(base, 0, target, 0, 4 * MIB);
    write(id, 8192, random(24, 4096));
    write(id, 3 * MIB, random(25, 8192));
    VolumeId later = snapshot(id);

    long copied = engine.copyDiffs(OperationId.random(), later, base, target);

    assertThat(copied).isEqualTo(3 * 4096);
    assertThat(read(target, 0, (int) (4 * MIB))).isEqualTo(read(later, 0, (int) (4 * MIB)));
  }

  @Test
  void aReservedVolumeNeverRunsOutOfSpace() {
    long free = engine.space().free();
    VolumeId thick = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(thick, 4 * MIB, true, Map.of()));

    assertThat(engine.space().reserved()).isEqualTo(4 * MIB);
    assertThat(engine.space().free()).isLessThanOrEqualTo(free - 4 * MIB);
    write(thick, 0, random(26, (int) MIB));
    assertThat(engine.spaceOf(thick).reserved()).isEqualTo(3 * MIB);
    snapshot(thick);
    assertThat(engine.spaceOf(thick).reserved()).isEqualTo(4 * MIB);
    engine.reserve(OperationId.random(), thick, false);
    assertThat(engine.space().reserved()).isZero();
    assertThatThrownBy(
            () ->
                engine.create(
                    OperationId.random(),
                    new VolumeSpec(VolumeId.random(), 8L << 40, true, Map.of())))
        .isInstanceOf(StorageException.OutOfSpace.class);
  }

  @Test
  void attributesAndRecordsAreKept() {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, MIB, false, Map.of("a", "1", "b", "2")));
    engine.setAttributes(OperationId.random(), id, Map.of("c", "3", "a", "4"), Set.of("b"));
    engine
        .records()
        .apply(
            OperationId.random(),
            List.of(new RecordChange.Put("x/1", "one"), new RecordChange.Put("y/1", "two")));
    engine.records().apply(OperationId.random(), List.of(new RecordChange.Remove("y/1")));
    engine = reopened(engine);

    assertThat(engine.find(id).orElseThrow().attributes())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "4", "c", "3"));
    assertThat(engine.records().withPrefix("x/")).containsExactly(Map.entry("x/1", "one"));
    assertThat(engine.records().find("y/1")).isEmpty();
    assertThatThrownBy(
            () ->
                engine
                    .records()
                    .apply(OperationId.random(), List.of(new RecordChange.Put("", "v"))))
        .isInstanceOf(StorageException.InvalidRequest.class);
  }

  @Test
  void aGroupSnapshotIsAllOrNothing() {
    VolumeId first = create(MIB);
    VolumeId id = VolumeId.random();

    assertThatThrownBy(
            () ->
                engine.snapshot(
                    OperationId.random(),
                    List.of(
                        new SnapshotSpec(first, id, Map.of()),
                        new SnapshotSpec(VolumeId.random(), VolumeId.random(), Map.of())),
                    TIMEOUT))
        .isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(
            () ->
                engine.snapshot(
                    OperationId.random(),
                    List.of(new SnapshotSpec(first, id, Map.of())),
                    Duration.ZERO))
        .isInstanceOf(StorageException.TimedOut.class);

    assertThat(engine.find(id)).isEmpty();
    assertThat(engine.list()).hasSize(1);
  }
}
