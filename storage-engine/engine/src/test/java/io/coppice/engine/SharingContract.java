package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What every engine does, continued: many clients at once, a full pool, ragged ends.
abstract class SharingContract extends JournalsContract {

  // --- many clients
  // -------------------------------------------------------------------------------------

  @Test
  void compareAndWriteLosesNoIncrementOfManyClients() throws Exception {
    VolumeId id = create(MIB);
    int clients = 4;
    int increments = 100;

    onThreads(
        clients,
        _ -> {
          for (int i = 0; i < increments; i++) {
            increment(id);
          }
        });

    assertThat(read(id, 512, 512).getLong(0)).isEqualTo((long) clients * increments);
  }

  private void increment(VolumeId id) {
    while (true) {
      ByteBuffer before = read(id, 512, 512);
      ByteBuffer after = ByteBuffer.allocateDirect(512).putLong(0, before.getLong(0) + 1);
      if (compareAndWrite(id, 512, before, after) < 0) {
        return;
      }
    }
  }

  /// Each writer goes round over its volumes: n to the first, once acknowledged n to the second,
  /// and so on. In a cut no volume is ahead of its predecessor nor more than one behind.
  @Test
  void aGroupSnapshotUnderConcurrentWritersIsOneCut() throws Exception {
    int volumes = 4;
    List<VolumeId> ids = new ArrayList<>();
    for (int i = 0; i < volumes; i++) {
      ids.add(create(MIB));
    }
    AtomicBoolean stopping = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> writers = new ArrayList<>();
    for (int lane = 0; lane < 2; lane++) {
      long offset = lane * 8192L;
      writers.add(
          Thread.ofPlatform().start(() -> writeRoundAndRound(ids, offset, stopping, failure)));
    }
    try {
      for (int i = 0; i < 50; i++) {
        checkCut(ids, i);
      }
    } finally {
      stopping.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    assertThat(failure.get()).isNull();
  }

  private void writeRoundAndRound(
      List<VolumeId> ids, long offset, AtomicBoolean stopping, AtomicReference<Throwable> failure) {
    try {
      for (long n = 1; !stopping.get(); n++) {
        for (VolumeId id : ids) {
          write(id, offset, ByteBuffer.allocate(4096).putLong(0, n));
        }
      }
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }

  private void checkCut(List<VolumeId> ids, int round) {
    List<SnapshotSpec> specs =
        ids.stream().map(id -> new SnapshotSpec(id, VolumeId.random(), Map.of())).toList();
    engine.snapshot(OperationId.random(), specs, TIMEOUT);
    for (long offset = 0; offset <= 8192; offset += 8192) {
      List<Long> numbers = new ArrayList<>();
      for (SnapshotSpec spec : specs) {
        numbers.add(read(spec.id(), offset, 4096).getLong(0));
      }
      for (int i = 1; i < numbers.size(); i++) {
        assertThat(numbers.getFirst() - numbers.get(i))
            .as("round %d: numbers in one cut %s", round, numbers)
            .isBetween(0L, 1L);
        assertThat(numbers.get(i)).isLessThanOrEqualTo(numbers.get(i - 1));
      }
    }
    specs.forEach(spec -> engine.delete(OperationId.random(), spec.id()));
  }

  @Test
  void overlappingWritesEndInOneOrderForAllReaders() throws Exception {
    VolumeId id = create(MIB);

    onThreads(
        4,
        client -> {
          SplittableRandom random = new SplittableRandom(client);
          for (int i = 0; i < 50; i++) {
            int blocks = 1 + random.nextInt(8);
            byte[] filled = new byte[blocks * 4096];
            java.util.Arrays.fill(filled, (byte) (1 + client * 50 + i));
            write(id, 0, ByteBuffer.wrap(filled));
          }
        });

    ByteBuffer first = read(id, 0, 8 * 4096);
    assertThat(read(id, 0, 8 * 4096)).isEqualTo(first);
    for (int block = 0; block < 8; block++) {
      byte value = first.get(block * 4096);
      for (int at = 0; at < 4096; at++) {
        assertThat(first.get(block * 4096 + at))
            .as("block %d is of one write", block)
            .isEqualTo(value);
      }
    }
    engine = reopened(engine);
    assertThat(read(id, 0, 8 * 4096)).isEqualTo(first);
  }

  @Test
  void aDeleteUnderLoadEndsAllIoAndTheRestGoesOn() {
    VolumeId victim = create(4 * MIB);
    VolumeId other = create(4 * MIB);
    Volume volume = engine.open(victim);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long offset = i * 4096L;
      ByteBuffer block = ByteBuffer.allocateDirect(4096).putInt(0, i);
      ends.add(Await.start(done -> volume.write(offset, block, done)));
    }

    engine.delete(OperationId.random(), victim);

    int done = 0;
    for (CompletableFuture<Void> end : ends) {
      try {
        Await.await(end);
        done++;
      } catch (StorageException.NotFound gone) {
        // Came after the deletion.
      }
    }
    assertThat(done).isPositive();
    write(other, 0, random(1, 4096));
    assertThat(read(other, 0, 4096)).isEqualTo(random(1, 4096));
    assertThatThrownBy(() -> engine.open(victim)).isInstanceOf(StorageException.NotFound.class);
  }

  /// What one of several clients does.
  interface Client {
    void run(int number) throws Exception;
  }

  static void onThreads(int count, Client client) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.run(number);
                    } catch (Exception | AssertionError e) {
                      failure.compareAndSet(null, e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("a client failed: " + failure.get().getMessage(), failure.get());
    }
  }

  // --- a full pool
  // ----------------------------------------------------------------------------------

  @Test
  void aFullPoolRefusesWritesAndNothingElseAndRecoversByDeleting() {
    engine.close();
    engine = fresh(24 * MIB);
    VolumeId reserved = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(reserved, 2 * MIB, true, Map.of()));
    VolumeId id = create(64 * MIB);

    long written = fill(id, 0);

    assertThat(written).as("bytes until the pool was full").isBetween(4 * MIB, 24 * MIB);
    for (long offset = 0; offset < written; offset += 64 << 10) {
      assertThat(read(id, offset, 64 << 10)).isEqualTo(random(offset, 64 << 10));
    }
    assertThat(read(id, written, 64 << 10)).isEqualTo(ByteBuffer.allocate(64 << 10));
    for (long offset = 0; offset < 2 * MIB; offset += 64 << 10) {
      write(reserved, offset, random(2 + offset, 64 << 10));
    }
    long full = fill(id, written); // what was set aside for headers, and not needed, is free again
    VolumeId snapshot = snapshot(id);
    VolumeId clone = cloneOf(snapshot);
    assertThatThrownBy(
            () ->
                engine.create(
                    OperationId.random(),
                    new VolumeSpec(VolumeId.random(), 24 * MIB, true, Map.of())))
        .isInstanceOf(StorageException.OutOfSpace.class);
    assertThatThrownBy(() -> engine.reserve(OperationId.random(), id, true))
        .isInstanceOf(StorageException.OutOfSpace.class);
    engine = reopened(engine);
    engine.delete(OperationId.random(), snapshot);
    engine.delete(OperationId.random(), clone);
    Await.io(done -> engine.open(id).unmap(0, full, done));

    long again = fill(id, 0);

    assertThat(again).as("bytes until the pool was full again").isGreaterThan(written / 2);
    assertThat(read(reserved, 0, 64 << 10)).isEqualTo(random(2, 64 << 10));
  }

  /// Writes pieces of 64 KiB from `start` on until the pool is full.
  private long fill(VolumeId id, long start) {
    long offset = start;
    try {
      while (offset < 64 * MIB) {
        write(id, offset, random(offset, 64 << 10));
        offset += 64 << 10;
      }
    } catch (StorageException.OutOfSpace full) {
      return offset;
    }
    throw new AssertionError("a pool of 24 MiB took 64 MiB");
  }

  // --- ragged ends and sizes
  // ------------------------------------------------------------------------

  @Test
  void aVolumeMayEndInTheMiddleOfABlock() {
    VolumeId id = create(MIB + 1536);
    VolumeId copy = create(2 * MIB);
    write(id, MIB - 512, random(1, 2048));
    write(copy, 0, random(2, (int) (2 * MIB)));
    VolumeId base = snapshot(id);
    write(id, MIB + 1024, random(3, 512));

    assertThat(engine.copyDiffs(OperationId.random(), id, base, copy)).isEqualTo(1536);
    assertThat(read(copy, MIB, 1024)).isEqualTo(random(1, 2048).slice(512, 1024));
    assertThat(read(copy, MIB + 1024, 512)).isEqualTo(random(3, 512));
    assertThat(read(copy, MIB + 1536, 2560))
        .isEqualTo(random(2, (int) (2 * MIB)).slice((int) MIB + 1536, 2560));
    copy(id, 0, copy, 0, MIB + 1536);
    assertThat(read(copy, MIB + 1536, 2560))
        .isEqualTo(random(2, (int) (2 * MIB)).slice((int) MIB + 1536, 2560));
    engine.resize(OperationId.random(), id, 2 * MIB);
    engine = reopened(engine);
    assertThat(read(id, MIB + 1536, 4096)).isEqualTo(ByteBuffer.allocate(4096));
    assertThat(read(id, MIB + 1024, 512)).isEqualTo(random(3, 512));
  }

  @Test
  void whatARevertCutOffDoesNotComeBackByGrowing() {
    VolumeId id = create(MIB);
    Volume volume = engine.open(id);
    VolumeId snapshot = snapshot(id);
    engine.resize(OperationId.random(), id, 4 * MIB);
    assertThat(volume.sizeInBytes()).isEqualTo(4 * MIB);
    write(id, 2 * MIB, random(1, 8192));

    engine.revert(OperationId.random(), id, snapshot);
    assertThat(volume.sizeInBytes()).isEqualTo(MIB);
    assertThatThrownBy(() -> read(id, 2 * MIB, 4096))
        .isInstanceOf(StorageException.InvalidRequest.class);
    engine.resize(OperationId.random(), id, 4 * MIB);

    assertThat(read(id, 2 * MIB, 8192)).isEqualTo(ByteBuffer.allocate(8192));
    assertThat(engine.spaceOf(id).mapped()).isZero();
  }

  @Test
  void uniqueSpaceIsWhatNobodyInTheFamilyShares() {
    VolumeId id = create(4 * MIB);
    write(id, 0, random(1, 64 << 10));
    assertThat(engine.spaceOf(id)).isEqualTo(new VolumeSpace(64 << 10, 64 << 10, 0));
    VolumeId snapshot = snapshot(id);
    write(id, 0, random(2, 8192));

    assertThat(engine.spaceOf(id)).isEqualTo(new VolumeSpace(64 << 10, 8192, 0));
    assertThat(engine.spaceOf(snapshot)).isEqualTo(new VolumeSpace(64 << 10, 8192, 0));
  }

  @Test
  void whatADeletionGivesBackIsKnownBefore() {
    VolumeId id = create(4 * MIB);
    write(id, 0, random(1, 64 << 10));
    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(64 << 10);
    VolumeId snapshot = snapshot(id);
    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isZero();
    assertThat(engine.freedIfDeleted(List.of(snapshot)).bytes()).isZero();
    assertThat(engine.spaceOf(id).shared()).isEqualTo(64 << 10);
    write(id, 0, random(2, 8192));
    Await.io(done -> engine.open(id).unmap(32 << 10, 16 << 10, done));

    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(8192);
    assertThat(engine.freedIfDeleted(List.of(snapshot)).bytes()).isEqualTo(24 << 10);
    assertThat(engine.spaceOf(snapshot).unique()).isEqualTo(24 << 10);

    engine.delete(OperationId.random(), snapshot);
    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(48 << 10);
    assertThat(engine.spaceOf(id)).isEqualTo(new VolumeSpace(48 << 10, 48 << 10, 0));
  }

  @Test
  void aSetGivesBackWhatItsMembersHoldTogether() {
    VolumeId id = create(4 * MIB);
    VolumeId other = create(4 * MIB);
    write(id, 0, random(1, 64 << 10));
    VolumeId snapshot = snapshot(id);
    copy(snapshot, 0, other, 0, 32 << 10);
    write(other, MIB, random(2, 4096));

    assertThat(engine.freedIfDeleted(List.of(id, snapshot)).bytes()).isEqualTo(32 << 10);
    FreedSpace all = engine.freedIfDeleted(List.of(other, snapshot, snapshot, id));
    assertThat(all.steps())
        .containsExactly(
            new FreedSpace.Step(other, 4096),
            new FreedSpace.Step(snapshot, 4096),
            new FreedSpace.Step(id, 68 << 10));
    assertThat(all.atLeast()).isFalse();
    assertThat(engine.freedIfDeleted(List.of()).bytes()).isZero();
    List<VolumeId> order = List.of(other, snapshot, id);
    assertThat(engine.freedInOrder(order, 4096).steps()).hasSize(1);
    assertThat(engine.freedInOrder(order, 4097).steps()).hasSize(3);
    assertThat(engine.freedInOrder(order, 1L << 40).steps()).hasSize(3);
  }

  @Test
  void aQuestionAboutASetNamesWhatIsWrongWithIt() {
    VolumeId id = create(4 * MIB);
    VolumeId unknown = VolumeId.random();
    assertThatThrownBy(() -> engine.freedIfDeleted(List.of(id, unknown)))
        .isInstanceOf(StorageException.NotFound.class)
        .hasMessageContaining(unknown.toString());
    List<VolumeId> many =
        Stream.generate(VolumeId::random).limit(StorageEngine.MAX_FREED + 1L).toList();
    assertThatThrownBy(() -> engine.freedIfDeleted(many))
        .isInstanceOf(StorageException.InvalidRequest.class)
        .hasMessageContaining("100000")
        .hasMessageContaining("100001");
  }

  @Test
  void aBlockWithSeveralPlacesIsGivenBackWithTheLast() {
    VolumeId id = create(4 * MIB);
    VolumeId other = create(4 * MIB);
    write(id, 0, random(1, 64 << 10));
    copy(id, 0, id, MIB, 32 << 10);
    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(64 << 10);
    copy(id, 0, other, 0, 16 << 10);

    assertThat(engine.freedIfDeleted(List.of(id)).bytes()).isEqualTo(48 << 10);
    assertThat(engine.freedIfDeleted(List.of(other)).bytes()).isZero();

    engine.delete(OperationId.random(), id);
    engine = reopened(engine);
    Await.until(
        "the other places reclaimed",
        () -> engine.freedIfDeleted(List.of(other)).bytes() == (16 << 10));
  }

  @Test
  void theSameBlockCopiedManyTimesTakesNoSpace() {
    VolumeId id = create(16 * MIB);
    write(id, 0, random(1, 64 << 10));
    long used = engine.space().used();

    copy(id, 0, id, MIB, 64 << 10);
    copy(id, MIB, id, 2 * MIB, 64 << 10);
    copy(id, 0, id, 8 * MIB, 6 * MIB);
    Await.io(done -> engine.open(id).unmap(0, 64 << 10, done));
    write(id, MIB, random(2, 64 << 10));
    engine = reopened(engine);

    assertThat(read(id, 0, 64 << 10)).isEqualTo(ByteBuffer.allocate(64 << 10));
    assertThat(read(id, 2 * MIB, 64 << 10)).isEqualTo(random(1, 64 << 10));
    assertThat(read(id, 8 * MIB, 64 << 10)).isEqualTo(random(1, 64 << 10));
    assertThat(read(id, 9 * MIB, 64 << 10)).isEqualTo(random(1, 64 << 10));
    assertThat(read(id, 10 * MIB, 64 << 10)).isEqualTo(random(1, 64 << 10));
    assertThat(engine.space().used() - used).isLessThanOrEqualTo(128 << 10);
  }

  @Test
  void countersTellWhatWasDone() {
    VolumeId id = create(MIB);
    EngineCounters before = engine.counters();
    write(id, 0, random(1, 8192));
    read(id, 0, 4096);
    copy(id, 0, id, 64 << 10, 8192);

    EngineCounters after = engine.counters();

    assertThat(after.hostBytesWritten() - before.hostBytesWritten()).isEqualTo(8192);
    assertThat(after.hostBytesRead() - before.hostBytesRead()).isEqualTo(4096);
    assertThat(after.bytesCopiedByPointer() - before.bytesCopiedByPointer()).isEqualTo(8192);
    assertThat(after.records()).isGreaterThan(before.records());
  }
}
