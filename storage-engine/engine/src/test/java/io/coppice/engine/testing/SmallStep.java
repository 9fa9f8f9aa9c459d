package io.coppice.engine.testing;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.RedirectOnWriteEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// One change of a pool that is waited for: what it does to the engine, and to the model. Each is
/// atomic over a crash, and may be repeated.
///
/// @param name what a failure calls it
public record SmallStep(
    String name, Consumer<RedirectOnWriteEngine> perform, UnaryOperator<SmallPool> apply) {

  public static SmallStep create(OperationId operation, VolumeId id, int sectors) {
    return new SmallStep(
        "create " + id,
        engine -> engine.create(operation, VolumeSpec.thin(id, sectors * 512L)),
        pool -> pool.created(id, sectors));
  }

  public static SmallStep write(VolumeId id, int first, int[] numbers) {
    return new SmallStep(
        "write %d sectors at %d of %s".formatted(numbers.length, first, id),
        engine -> Await.io(done -> engine.open(id).write(first * 512L, bytes(numbers), done)),
        pool -> pool.written(id, first, numbers));
  }

  /// Whole blocks only: ragged ends are not atomic.
  public static SmallStep zero(VolumeId id, int first, int count, boolean unmap) {
    return new SmallStep(
        "%s %d sectors at %d of %s".formatted(unmap ? "unmap" : "zero", count, first, id),
        engine -> {
          Volume volume = engine.open(id);
          if (unmap) {
            Await.io(done -> volume.unmap(first * 512L, count * 512L, done));
          } else {
            Await.io(done -> volume.writeZeroes(first * 512L, count * 512L, done));
          }
        },
        pool -> pool.written(id, first, new int[count]));
  }

  /// Whole blocks only.
  public static SmallStep repeat(VolumeId id, int first, int count, int number) {
    int[] numbers = new int[count];
    java.util.Arrays.fill(numbers, number);
    return new SmallStep(
        "write one sector at all %d from %d of %s".formatted(count, first, id),
        engine ->
            Await.io(
                done ->
                    engine
                        .open(id)
                        .writeSame(first * 512L, count * 512L, bytes(new int[] {number}), done)),
        pool -> pool.written(id, first, numbers));
  }

  /// Compares with what is there when it is performed, so that it always writes; a repeat after it
  /// has happened compares with what it wrote.
  public static SmallStep compareAndWrite(VolumeId id, int first, int[] numbers) {
    return new SmallStep(
        "compare and write %d sectors at %d of %s".formatted(numbers.length, first, id),
        engine -> {
          ByteBuffer expected = ByteBuffer.allocateDirect(numbers.length * 512);
          Await.io(done -> engine.open(id).read(first * 512L, expected, done));
          expected.flip();
          long mismatch =
              Await.compare(
                  done ->
                      engine
                          .open(id)
                          .compareAndWrite(first * 512L, expected, bytes(numbers), done));
          if (mismatch >= 0) {
            throw new AssertionError("expected what was read, got a mismatch at " + mismatch);
          }
        },
        pool -> pool.written(id, first, numbers));
  }

  /// Whole blocks only.
  public static SmallStep copy(VolumeId source, int from, VolumeId id, int first, int count) {
    return new SmallStep(
        "copy %d sectors at %d of %s to %d of %s".formatted(count, from, source, first, id),
        engine ->
            Await.io(
                done ->
                    engine
                        .open(id)
                        .copyFrom(
                            engine.open(source), from * 512L, first * 512L, count * 512L, done)),
        pool -> pool.copied(source, from, id, first, count));
  }

  public static SmallStep snapshot(OperationId operation, VolumeId source, VolumeId id) {
    return new SmallStep(
        "snapshot %s of %s".formatted(id, source),
        engine ->
            engine.snapshot(
                operation, List.of(new SnapshotSpec(source, id, Map.of())), Duration.ofSeconds(30)),
        pool -> pool.copy(source, id, VolumeKind.SNAPSHOT));
  }

  public static SmallStep clone(OperationId operation, VolumeId source, VolumeId id) {
    return new SmallStep(
        "clone %s of %s".formatted(id, source),
        engine -> engine.clone(operation, new CloneSpec(source, id, false, Map.of())),
        pool -> pool.copy(source, id, VolumeKind.WRITABLE));
  }

  public static SmallStep revert(OperationId operation, VolumeId id, VolumeId snapshot) {
    return new SmallStep(
        "revert %s to %s".formatted(id, snapshot),
        engine -> engine.revert(operation, id, snapshot),
        pool -> pool.reverted(id, snapshot));
  }

  /// Several volumes, each to the snapshot that the map says.
  public static SmallStep revert(OperationId operation, Map<VolumeId, VolumeId> snapshots) {
    return new SmallStep(
        "revert " + snapshots,
        engine -> engine.revert(operation, snapshots),
        pool -> {
          SmallPool after = pool;
          for (Map.Entry<VolumeId, VolumeId> each : snapshots.entrySet()) {
            after = after.reverted(each.getKey(), each.getValue());
          }
          return after;
        });
  }

  public static SmallStep delete(OperationId operation, VolumeId id) {
    return new SmallStep(
        "delete " + id, engine -> engine.delete(operation, id), pool -> pool.without(id));
  }

  public static SmallStep resize(OperationId operation, VolumeId id, int sectors) {
    return new SmallStep(
        "resize %s to %d sectors".formatted(id, sectors),
        engine -> engine.resize(operation, id, sectors * 512L),
        pool -> pool.resized(id, sectors));
  }

  /// The snapshot's map is stored, its space given back.
  public static SmallStep checkpoint() {
    return new SmallStep(
        "checkpoint",
        engine -> {
          engine.awaitReclaim();
          engine.checkpoint();
        },
        UnaryOperator.identity());
  }

  private static ByteBuffer bytes(int[] numbers) {
    ByteBuffer content = ModelVolume.content(numbers);
    return ByteBuffer.allocateDirect(content.remaining()).put(content).flip();
  }
}
