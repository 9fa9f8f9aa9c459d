package io.coppice.bench.engine;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/// An open engine with the calls that the measurements repeat.
record Bed(StorageEngine engine) {

  VolumeId volume(long sizeInBytes) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, sizeInBytes));
    return id;
  }

  VolumeId snapshot(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(source, id, Map.of())),
        Duration.ofSeconds(10));
    return id;
  }

  VolumeId clone(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(source, id, false, Map.of()));
    return id;
  }

  void delete(VolumeId id) {
    engine.delete(OperationId.random(), id);
  }

  /// Writes 4 KiB of random bytes and waits.
  void write(Volume volume, long offset) {
    byte[] bytes = new byte[4096];
    ThreadLocalRandom.current().nextBytes(bytes);
    await(done -> volume.write(offset, ByteBuffer.wrap(bytes), done));
  }

  /// Begins an I/O and waits for its end.
  static void await(Consumer<Completion> io) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    io.accept(
        new Completion() {
          @Override
          public void succeeded() {
            end.complete(null);
          }

          @Override
          public void failed(StorageException failure) {
            end.completeExceptionally(failure);
          }
        });
    end.join();
  }

  /// Microseconds that `work` takes.
  static double micros(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e3;
  }
}
