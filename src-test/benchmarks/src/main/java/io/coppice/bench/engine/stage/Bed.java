package io.coppice.bench.engine.stage;

import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Idle;
import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.RedirectOnWriteEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An open engine with the calls that the measurements repeat.
public record Bed(RedirectOnWriteEngine engine) {

  public VolumeId volume(long sizeInBytes) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, sizeInBytes));
    return id;
  }

  /// A new volume of which every block is stored.
  public EngineSubject filled(VolumeId id, long sizeInBytes) {
    EngineSubject subject = new EngineSubject(engine.open(id), sizeInBytes);
    subject.fill();
    return subject;
  }

  public VolumeId snapshot(VolumeId source) {
    return snapshot(List.of(source)).getFirst();
  }

  /// Snapshots of all at one position of the log.
  public List<VolumeId> snapshot(List<VolumeId> sources) {
    List<SnapshotSpec> specs =
        sources.stream().map(id -> new SnapshotSpec(id, VolumeId.random(), Map.of())).toList();
    engine.snapshot(OperationId.random(), specs, Duration.ofSeconds(10));
    return specs.stream().map(SnapshotSpec::id).toList();
  }

  public VolumeId clone(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(source, id, false, Map.of()));
    return id;
  }

  public void revert(VolumeId id, VolumeId snapshot) {
    engine.revert(OperationId.random(), id, snapshot);
  }

  public void delete(VolumeId id) {
    engine.delete(OperationId.random(), id);
  }

  /// Deletes, and waits until the space is back.
  public void deleteWholly(VolumeId id) {
    delete(id);
    engine.awaitReclaim();
  }

  /// Writes 4 KiB of random bytes and waits.
  public void write(Volume volume, long offset) {
    byte[] bytes = new byte[4096];
    ThreadLocalRandom.current().nextBytes(bytes);
    volume.write(offset, ByteBuffer.wrap(bytes));
  }

  /// One step of a series of range operations: begins it at `offset`.
  public interface Step {

    void begin(long offset, Completion done);
  }

  /// Goes over a range in steps, `depth` of them under way, and waits for their end.
  ///
  /// @throws StorageException as the first that failed
  public static void inSteps(long bytes, long stepBytes, int depth, Step step) {
    Idle<Slot> idle = new Idle<>(depth);
    for (int i = 0; i < depth; i++) {
      idle.add(new Slot(idle));
    }
    for (long at = 0; at < bytes; at += stepBytes) {
      Slot slot = idle.take();
      slot.check();
      step.begin(at, slot);
    }
    for (int i = 0; i < depth; i++) {
      idle.take().check();
    }
  }

  private static final class Slot implements Completion {

    private final Idle<Slot> idle;
    private volatile @Nullable StorageException failure;

    Slot(Idle<Slot> idle) {
      this.idle = idle;
    }

    void check() {
      StorageException failed = failure;
      if (failed != null) {
        throw failed;
      }
    }

    @Override
    public void succeeded() {
      idle.add(this);
    }

    @Override
    public void failed(StorageException reason) {
      failure = reason;
      idle.add(this);
    }
  }

  /// Begins an I/O and waits for its end.
  public static void await(Consumer<Completion> io) {
    AwaitedIo end = new AwaitedIo();
    io.accept(end);
    StorageException failed = end.await();
    if (failed != null) {
      throw failed;
    }
  }

  /// Microseconds that `work` takes.
  public static double micros(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e3;
  }

  /// Seconds that `work` takes.
  public static double seconds(Runnable work) {
    return micros(work) / 1e6;
  }
}
