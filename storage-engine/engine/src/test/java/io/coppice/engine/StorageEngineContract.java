package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every engine does, the model and the real one alike: volumes and their copies.
abstract class StorageEngineContract {

  static final long MIB = 1 << 20;
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  StorageEngine engine;

  /// A fresh pool that stores at most `capacityInBytes`.
  abstract StorageEngine fresh(long capacityInBytes);

  /// The same pool, closed and opened again; where that is not possible, the engine itself.
  abstract StorageEngine reopened(StorageEngine engine);

  @BeforeEach
  void open() {
    engine = fresh(256 * MIB);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aFreshVolumeReadsAsZerosAndStoresNothing() {
    VolumeId id = create(2 * MIB);

    assertThat(read(id, 0, (int) (2 * MIB))).isEqualTo(ByteBuffer.allocate((int) (2 * MIB)));
    assertThat(engine.spaceOf(id).mapped()).isZero();
  }

  @Test
  void whatWasWrittenIsReadAlsoAfterReopening() {
    VolumeId id = create(2 * MIB);
    ByteBuffer data = random(1, 64 << 10);
    write(id, 12 << 10, data);

    assertThat(read(id, 12 << 10, 64 << 10)).isEqualTo(data);
    engine = reopened(engine);
    assertThat(read(id, 12 << 10, 64 << 10)).isEqualTo(data);
    assertThat(read(id, 0, 12 << 10)).isEqualTo(ByteBuffer.allocate(12 << 10));
  }

  @Test
  void sectorsAreWrittenWithoutTouchingTheirNeighbours() {
    VolumeId id = create(MIB);
    ByteBuffer block = random(2, 4096);
    write(id, 4096, block);

    write(id, 4096 + 512, random(3, 512));
    write(id, 4096 + 7 * 512, random(4, 1024));

    assertThat(read(id, 4096, 512)).isEqualTo(block.slice(0, 512));
    assertThat(read(id, 4096 + 512, 512)).isEqualTo(random(3, 512));
    assertThat(read(id, 4096 + 1024, 6 * 512 - 512)).isEqualTo(block.slice(1024, 5 * 512));
    assertThat(read(id, 4096 + 7 * 512, 1024)).isEqualTo(random(4, 1024));
  }

  @Test
  void aLongWriteIsReadInAnyPieces() {
    VolumeId id = create(8 * MIB);
    ByteBuffer data = random(5, (int) (5 * MIB));
    write(id, MIB + 512, data);

    assertThat(read(id, MIB + 512, data.remaining())).isEqualTo(data);
    assertThat(read(id, 2 * MIB, 4096)).isEqualTo(data.slice((int) MIB - 512, 4096));
  }

  @Test
  void zeroedAndUnmappedRangesReadAsZerosAndStoreNothing() {
    VolumeId id = create(4 * MIB);
    ByteBuffer data = random(6, (int) (4 * MIB));
    write(id, 0, data);

    Await.io(done -> engine.open(id).writeZeroes(512, 3 * MIB, done));
    Await.io(done -> engine.open(id).unmap(3 * MIB + 8192, 4096, done));

    assertThat(read(id, 0, 512)).isEqualTo(data.slice(0, 512));
    assertThat(read(id, 512, (int) (3 * MIB))).isEqualTo(ByteBuffer.allocate((int) (3 * MIB)));
    assertThat(read(id, 3 * MIB + 512, 4096)).isEqualTo(data.slice((int) (3 * MIB) + 512, 4096));
    assertThat(read(id, 3 * MIB + 8192, 4096)).isEqualTo(ByteBuffer.allocate(4096));
    assertThat(engine.spaceOf(id).mapped()).isEqualTo(MIB);
  }

  @Test
  void whatIsWrittenAsZerosIsNotStored() {
    VolumeId id = create(4 * MIB);
    ByteBuffer data = random(6, (int) (4 * MIB));
    write(id, 0, data);

    write(id, MIB, ByteBuffer.allocate((int) (2 * MIB)));

    assertThat(read(id, MIB, (int) (2 * MIB))).isEqualTo(ByteBuffer.allocate((int) (2 * MIB)));
    assertThat(read(id, 0, (int) MIB)).isEqualTo(data.slice(0, (int) MIB));
    assertThat(read(id, 3 * MIB, (int) MIB)).isEqualTo(data.slice((int) (3 * MIB), (int) MIB));
    assertThat(engine.spaceOf(id).mapped()).isEqualTo(2 * MIB);
  }

  @Test
  void oneByteAmongZerosIsStored() {
    VolumeId id = create(MIB);
    for (int at : new int[] {0, 1, 4095, 4096, 12287}) {
      ByteBuffer bytes = ByteBuffer.allocate(12288).put(at, (byte) 1);

      write(id, 0, bytes.duplicate());

      assertThat(read(id, 0, 12288)).as("byte %d", at).isEqualTo(bytes);
    }
  }

  @Test
  void writeSameRepeatsItsBlock() {
    VolumeId id = create(MIB);
    ByteBuffer block = random(7, 512);

    Await.io(done -> engine.open(id).writeSame(1024, 64 << 10, block.duplicate(), done));

    for (int at = 0; at < 64 << 10; at += 512) {
      assertThat(read(id, 1024 + at, 512)).isEqualTo(block);
    }
    assertThat(read(id, 0, 1024)).isEqualTo(ByteBuffer.allocate(1024));
  }

  @Test
  void compareAndWriteWritesExactlyIfEqual() {
    VolumeId id = create(MIB);
    write(id, 0, random(8, 4096));
    ByteBuffer other = random(8, 4096);
    other.put(1000, (byte) ~other.get(1000));

    long mismatch = compareAndWrite(id, 0, other, random(9, 4096));
    assertThat(mismatch).isEqualTo(1000);
    assertThat(read(id, 0, 4096)).isEqualTo(random(8, 4096));

    assertThat(compareAndWrite(id, 512, random(8, 4096).slice(512, 512), random(9, 512)))
        .isEqualTo(-1);
    assertThat(read(id, 512, 512)).isEqualTo(random(9, 512));
  }

  @Test
  void aRangeCopyEqualsItsSourceAndIsIndependentOfIt() {
    VolumeId source = create(4 * MIB);
    VolumeId target = create(4 * MIB);
    ByteBuffer data = random(10, (int) (3 * MIB));
    write(source, 0, data);
    write(target, 0, random(11, (int) (4 * MIB)));
    long used = engine.space().used();

    copy(source, 4096, target, MIB, MIB);
    copy(source, 512, target, 512, 8192);
    copy(source, 0, target, 3 * MIB + 512, 4096);

    assertThat(read(target, MIB, (int) MIB)).isEqualTo(data.slice(4096, (int) MIB));
    assertThat(read(target, 512, 8192)).isEqualTo(data.slice(512, 8192));
    assertThat(read(target, 3 * MIB + 512, 4096)).isEqualTo(data.slice(0, 4096));
    assertThat(engine.space().used()).isLessThanOrEqualTo(used);
    write(source, 4096, random(12, 4096));
    assertThat(read(target, MIB, 4096)).isEqualTo(data.slice(4096, 4096));
    engine.delete(OperationId.random(), source);
    engine = reopened(engine);
    assertThat(read(target, MIB, (int) MIB)).isEqualTo(data.slice(4096, (int) MIB));
  }

  @Test
  void aCopyWithinOneVolumeMovesABlockRange() {
    VolumeId id = create(4 * MIB);
    ByteBuffer data = random(13, 64 << 10);
    write(id, 0, data);

    copy(id, 0, id, 2 * MIB, 64 << 10);
    write(id, 0, random(14, 64 << 10));

    assertThat(read(id, 2 * MIB, 64 << 10)).isEqualTo(data);
  }

  @Test
  void statusTellsMappedAndUnmappedRunsInTurn() {
    VolumeId id = create(4 * MIB);
    write(id, 8192, random(15, 8192));
    write(id, 2 * MIB, random(16, 4096));

    List<MappedRange> runs = engine.open(id).status(0, 100);

    assertThat(runs)
        .containsExactly(
            new MappedRange(new ByteRange(0, 8192), false),
            new MappedRange(new ByteRange(8192, 8192), true),
            new MappedRange(new ByteRange(16384, 2 * MIB - 16384), false),
            new MappedRange(new ByteRange(2 * MIB, 4096), true),
            new MappedRange(new ByteRange(2 * MIB + 4096, 2 * MIB - 4096), false));
    assertThat(engine.open(id).status(8192 + 512, 1))
        .containsExactly(new MappedRange(new ByteRange(8704, 7680), true));
  }

  @Test
  void requestsOutsideTheRulesChangeNothing() {
    VolumeId id = create(MIB);
    VolumeId snapshot = snapshot(id);

    assertThatThrownBy(() -> write(id, 100, random(1, 512)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> write(id, 0, random(1, 100)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> write(id, MIB - 512, random(1, 1024)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> write(id, Long.MAX_VALUE - 511, random(1, 512)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> read(id, -512, 512))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> write(snapshot, 0, random(1, 512)))
        .isInstanceOf(StorageException.ReadOnly.class);
    assertThatThrownBy(
            () -> engine.create(OperationId.random(), VolumeSpec.thin(VolumeId.random(), 0)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(
            () ->
                engine.create(OperationId.random(), VolumeSpec.thin(VolumeId.random(), 65L << 40)))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> engine.create(OperationId.random(), VolumeSpec.thin(id, MIB)))
        .isInstanceOf(StorageException.AlreadyExists.class);
    assertThatThrownBy(() -> engine.resize(OperationId.random(), id, MIB - 4096))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> engine.open(VolumeId.random()))
        .isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(
            () ->
                engine.setAttributes(
                    OperationId.random(), id, Map.of("k", "v".repeat(9000)), Set.of()))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThat(engine.spaceOf(id).mapped()).isZero();
  }

  @Test
  void anUnwrittenVolumeOf64TiBIsFine() {
    VolumeId id = create(VolumeSpec.MAX_SIZE_IN_BYTES);
    write(id, VolumeSpec.MAX_SIZE_IN_BYTES - 4096, random(17, 4096));

    Await.io(done -> engine.open(id).unmap(0, VolumeSpec.MAX_SIZE_IN_BYTES - 4096, done));

    assertThat(read(id, VolumeSpec.MAX_SIZE_IN_BYTES - 4096, 4096)).isEqualTo(random(17, 4096));
    assertThat(engine.spaceOf(id).mapped()).isEqualTo(4096);
  }

  // --- for the parts of the contract
  // ----------------------------------------------------------------

  VolumeId create(long sizeInBytes) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, sizeInBytes));
    return id;
  }

  VolumeId snapshot(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.snapshot(OperationId.random(), List.of(new SnapshotSpec(source, id, Map.of())), TIMEOUT);
    return id;
  }

  VolumeId cloneOf(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(source, id, false, Map.of()));
    return id;
  }

  void write(VolumeId id, long offset, ByteBuffer data) {
    ByteBuffer copy = ByteBuffer.allocateDirect(data.remaining()).put(data.duplicate()).flip();
    Await.io(done -> engine.open(id).write(offset, copy, done));
  }

  ByteBuffer read(VolumeId id, long offset, int length) {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    Await.io(done -> engine.open(id).read(offset, into, done));
    return into.flip();
  }

  void copy(VolumeId source, long sourceOffset, VolumeId target, long offset, long length) {
    Await.io(
        done ->
            engine.open(target).copyFrom(engine.open(source), sourceOffset, offset, length, done));
  }

  long compareAndWrite(VolumeId id, long offset, ByteBuffer expected, ByteBuffer replacement) {
    return Await.compare(
        done -> engine.open(id).compareAndWrite(offset, expected, replacement, done));
  }

  static ByteBuffer random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}
