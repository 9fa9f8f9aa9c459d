package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.journal.JournalTier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The contract of every engine for journals of volumes.
abstract class JournalsContract extends LocksContract {

  private static final JournalTier MINUTES =
      new JournalTier(Duration.ofMinutes(1), Duration.ofHours(1));
  private static final JournalTier HOURS = new JournalTier(Duration.ofHours(1), Duration.ofDays(1));

  private void keep(VolumeId volume, JournalTier... tiers) {
    engine.journals().keep(OperationId.random(), volume, List.of(tiers));
  }

  private List<Instant> points(VolumeId volume) {
    return engine.journals().points(volume, Instant.EPOCH, 100);
  }

  private VolumeInfo cloneAt(VolumeId volume, VolumeId id, Instant point) {
    return engine
        .journals()
        .clone(OperationId.random(), new CloneSpec(volume, id, false, Map.of()), point);
  }

  @Test
  void aJournalBringsAVolumeBackToItsFirstPoint() {
    VolumeId volume = create(2 * MIB);
    ByteBuffer first = random(1, (int) MIB);
    write(volume, 0, first);
    keep(volume, MINUTES, HOURS);
    Instant begin = points(volume).getFirst();
    write(volume, 0, random(2, (int) MIB));
    VolumeId copy = VolumeId.random();

    VolumeInfo info = cloneAt(volume, copy, begin);

    assertThat(info.kind()).isEqualTo(VolumeKind.WRITABLE);
    assertThat(info.origin()).isEqualTo(volume);
    assertThat(info.sizeInBytes()).isEqualTo(2 * MIB);
    assertThat(read(copy, 0, (int) MIB)).isEqualTo(first);
    assertThat(read(volume, 0, (int) MIB)).isEqualTo(random(2, (int) MIB));
  }

  @Test
  void aRevertToAPointCanBeUndone() {
    VolumeId volume = create(2 * MIB);
    ByteBuffer first = random(1, (int) MIB);
    write(volume, 0, first);
    keep(volume, MINUTES);
    Instant begin = points(volume).getFirst();
    ByteBuffer later = random(2, (int) MIB);
    write(volume, 0, later);

    engine.journals().revert(OperationId.random(), volume, begin);
    assertThat(read(volume, 0, (int) MIB)).isEqualTo(first);
    List<Instant> points = points(volume);
    assertThat(points).hasSize(3);
    assertThat(engine.journals().pointsBefore(volume, points.get(1), 5))
        .containsExactly(points.get(1), begin);
    assertThat(engine.journals().pointsBefore(volume, points.get(2).minusNanos(1), 1))
        .containsExactly(points.get(1));
    assertThat(engine.journals().pointsBefore(volume, begin.minusMillis(1), 5)).isEmpty();
    assertThat(engine.journals().volumes()).containsExactly(volume);
    engine.journals().revert(OperationId.random(), volume, points.get(1));
    assertThat(read(volume, 0, (int) MIB)).isEqualTo(later);
    cloneAt(volume, VolumeId.random(), begin);
    engine.journals().revert(OperationId.random(), volume, points.get(2));
    assertThat(read(volume, 0, (int) MIB)).isEqualTo(first);
  }

  @Test
  void volumesComeBackTogetherOrNotAtAll() {
    VolumeId one = create(MIB);
    VolumeId other = create(MIB);
    keep(one, MINUTES);
    keep(other, MINUTES);
    Instant ofOne = points(one).getFirst();
    Instant ofOther = points(other).getFirst();
    ByteBuffer later = random(1, 4096);
    write(one, 0, later);
    write(other, 0, later);

    assertThatThrownBy(() -> revert(Map.of(one, ofOne, other, ofOther.plus(Duration.ofDays(1)))))
        .isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(() -> revert(Map.of())).isInstanceOf(StorageException.InvalidRequest.class);
    assertThat(read(one, 0, 4096)).isEqualTo(later);
    assertThat(revert(Map.of(one, ofOne, other, ofOther)))
        .extracting(VolumeInfo::id)
        .containsExactlyInAnyOrder(one, other);
    assertThat(read(one, 0, 4096)).isEqualTo(ByteBuffer.allocate(4096));
    assertThat(read(other, 0, 4096)).isEqualTo(ByteBuffer.allocate(4096));
    List<Instant> undo = points(one).subList(1, 3);
    assertThat(points(other).subList(1, 3)).as("the same moments").isEqualTo(undo);
    revert(Map.of(one, undo.getFirst(), other, undo.getFirst()));
    assertThat(read(one, 0, 4096)).isEqualTo(later);
    assertThat(read(other, 0, 4096)).isEqualTo(later);
  }

  @Test
  void revertsToSnapshotsCanBeUndone() {
    VolumeId one = create(MIB);
    VolumeId other = create(MIB);
    VolumeId plain = create(MIB);
    keep(one, MINUTES, HOURS);
    keep(other, MINUTES);
    ByteBuffer lost = random(1, 4096);
    Map<VolumeId, VolumeId> snapshots =
        Map.of(one, snapshot(one), other, snapshot(other), plain, snapshot(plain));
    snapshots.keySet().forEach(id -> write(id, 0, lost));

    engine.revert(OperationId.random(), snapshots);

    snapshots
        .keySet()
        .forEach(id -> assertThat(read(id, 0, 4096)).isEqualTo(ByteBuffer.allocate(4096)));
    assertThat(engine.journals().volumes()).containsExactlyInAnyOrder(one, other);
    List<Instant> made = points(one).subList(1, 3);
    assertThat(points(one)).hasSize(3);
    assertThat(points(other)).hasSize(3);
    assertThat(points(other).subList(1, 3)).as("the same moments").isEqualTo(made);
    revert(Map.of(one, made.getFirst(), other, made.getFirst()));
    assertThat(read(one, 0, 4096)).isEqualTo(lost);
    assertThat(read(other, 0, 4096)).isEqualTo(lost);
    engine.revert(OperationId.random(), one, snapshots.get(one));
    assertThat(points(one)).hasSize(7);
  }

  private List<VolumeInfo> revert(Map<VolumeId, Instant> points) {
    return engine.journals().revert(OperationId.random(), points);
  }

  @Test
  void theNewestPointAtOrBeforeAMomentIsFound() {
    VolumeId volume = create(MIB);
    keep(volume, MINUTES);
    Instant begin = points(volume).getFirst();

    assertThat(engine.journals().pointAt(volume, begin)).contains(begin);
    assertThat(engine.journals().pointAt(volume, begin.plusSeconds(5))).contains(begin);
    assertThat(engine.journals().pointAt(volume, begin.minusNanos(1))).isEmpty();
    assertThat(engine.journals().points(volume, begin.plusMillis(1), 5)).isEmpty();
  }

  @Test
  void aJournalOfOtherTiersKeepsWhatTheyShare() {
    VolumeId volume = create(MIB);
    keep(volume, MINUTES);
    Instant begin = points(volume).getFirst();
    ByteBuffer content = random(3, 8192);
    write(volume, 0, content);
    keep(volume, new JournalTier(Duration.ofMinutes(1), Duration.ofHours(2)), HOURS);

    assertThat(points(volume).getFirst()).isEqualTo(begin);
    assertThat(engine.journals().find(volume).orElseThrow().tiers())
        .extracting(JournalTier::keep)
        .containsExactlyInAnyOrder(Duration.ofHours(2), Duration.ofDays(1));
    keep(volume, HOURS);
    assertThat(points(volume)).hasSize(1).doesNotContain(begin);
    VolumeId copy = VolumeId.random();
    cloneAt(volume, copy, points(volume).getFirst());
    assertThat(read(copy, 0, 8192)).isEqualTo(content);
  }

  @Test
  void anEndedJournalIsGone() {
    VolumeId volume = create(MIB);
    keep(volume, MINUTES);
    Instant begin = points(volume).getFirst();

    engine.journals().end(OperationId.random(), volume);
    engine.journals().end(OperationId.random(), volume);

    assertThat(engine.journals().find(volume)).isEqualTo(Optional.empty());
    assertThat(engine.journals().volumes()).isEmpty();
    assertThatThrownBy(() -> points(volume)).isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(() -> cloneAt(volume, VolumeId.random(), begin))
        .isInstanceOf(StorageException.NotFound.class);
    engine.journals().cut(List.of(volume, VolumeId.random()));
  }

  @Test
  void aCopyIsRefusedLikeAnyClone() {
    VolumeId volume = create(MIB);
    keep(volume, MINUTES);
    Instant begin = points(volume).getFirst();

    assertThatThrownBy(() -> cloneAt(volume, volume, begin))
        .isInstanceOf(StorageException.AlreadyExists.class);
    assertThatThrownBy(() -> cloneAt(volume, VolumeId.random(), begin.plusMillis(1)))
        .isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(() -> keep(snapshot(volume), MINUTES))
        .isInstanceOf(StorageException.ReadOnly.class);
    assertThatThrownBy(() -> keep(volume, MINUTES, MINUTES))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> keep(VolumeId.random(), MINUTES))
        .isInstanceOf(StorageException.NotFound.class);
    assertThat(engine.list()).hasSize(2);
  }
}
