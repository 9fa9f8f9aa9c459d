package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A client of an engine that may lose power, and what it may believe afterwards.
///
/// One thread. Changes of content are started without waiting and never overlap while they are open
/// ([CrashIo]); changes of volumes are waited for ([VolumeChange]). A change cut off by the crash
/// is repeated with its operation id after the recovery, and must then have happened exactly once.
public final class CrashModel {

  private static final int MAX_VOLUMES = 10;

  final SplittableRandom random;
  final TreeMap<VolumeId, ModelVolume> volumes = new TreeMap<>();
  final TreeMap<String, String> records = new TreeMap<>();
  private final CrashIo io = new CrashIo(this);
  private @Nullable VolumeChange cutOff;
  private @Nullable VolumeChange answered;
  private int lastNumber;

  public CrashModel(SplittableRandom random) {
    this.random = random;
  }

  /// Works until `steps` are done or the pool stops.
  ///
  /// @return why it stopped, or null
  public StorageException.@Nullable DeviceFailed work(StorageEngine engine, int steps) {
    try {
      for (int i = 0; i < steps; i++) {
        step(engine);
      }
      io.drain();
      return null;
    } catch (StorageException.DeviceFailed e) {
      io.doubtAll();
      return e;
    }
  }

  private void step(StorageEngine engine) {
    int dice = random.nextInt(100);
    if (volumes.isEmpty() || dice >= 80) {
      changeVolumes(engine);
    } else if (dice < 60) {
      io.start(engine);
    } else if (dice < 70) {
      io.drain();
    } else {
      checkSomething(engine);
    }
  }

  // --- changes of volumes
  // ---------------------------------------------------------------------------

  private void changeVolumes(StorageEngine engine) {
    VolumeChange change = VolumeChange.choose(this, MAX_VOLUMES);
    if (change == null) {
      return;
    }
    if (change.needsCertainty() || random.nextInt(2) == 0) {
      io.drain();
    }
    cutOff = change;
    try {
      change.perform(engine);
      change.apply(this);
      answered = change;
    } catch (StorageException.OutOfSpace e) {
      undo(engine, change);
    }
    cutOff = null;
  }

  /// Refused: as a whole, or what it made before is deleted.
  private void undo(StorageEngine engine, VolumeChange refused) {
    VolumeId made = refused.madeBeforeRefusal();
    cutOff = made == null ? null : new VolumeChange.Delete(newOperation(), made);
    if (cutOff != null) {
      cutOff.perform(engine);
      cutOff.apply(this);
    }
  }

  /// Waits for all changes of content.
  void drain() {
    io.drain();
  }

  // --- looking
  // --------------------------------------------------------------------------------------

  private void checkSomething(StorageEngine engine) {
    ModelVolume volume = any(null);
    if (volume == null) {
      return;
    }
    if (random.nextInt(3) == 0 && volume.isCertain()) {
      check(engine, volume);
      return;
    }
    int count = 1 + random.nextInt(Math.min(32, volume.sectors()));
    int first = random.nextInt(volume.sectors() - count + 1);
    if (volume.isCertain(first, count)) {
      ByteBuffer found = ByteBuffer.allocateDirect(count * ModelVolume.SECTOR);
      Await.io(
          done -> engine.open(volume.id()).read((long) first * ModelVolume.SECTOR, found, done));
      if (!found.flip().equals(ModelVolume.content(volume.numbers(first, count)))) {
        throw new AssertionError(
            "%s: sectors %d to %d are not what was acknowledged"
                .formatted(volume.id(), first, first + count - 1));
      }
    }
  }

  /// After a recovery: repeats what was cut off, and the last change that was answered, which must
  /// do nothing; then compares everything.
  public void verify(StorageEngine engine) {
    if (answered != null) {
      answered.perform(engine);
    }
    VolumeChange change = cutOff;
    if (change != null) {
      try {
        change.repeat(engine, this);
      } catch (StorageException.OutOfSpace e) {
        undo(engine, change);
      }
      cutOff = null;
    }
    List<VolumeId> found = engine.list().stream().map(VolumeInfo::id).toList();
    if (!found.equals(List.copyOf(volumes.keySet()))) {
      throw new AssertionError(
          "expected the volumes %s, found %s".formatted(volumes.keySet(), found));
    }
    volumes.values().forEach(volume -> check(engine, volume));
    if (!engine.records().withPrefix("").equals(records)) {
      throw new AssertionError(
          "expected the records %s, found %s".formatted(records, engine.records().withPrefix("")));
    }
  }

  private static void check(StorageEngine engine, ModelVolume volume) {
    VolumeInfo info = engine.find(volume.id()).orElseThrow();
    if (info.kind() != volume.kind()
        || info.sizeInBytes() != volume.sizeInBytes()
        || info.reserved() != volume.reserved()
        || !Optional.ofNullable(info.origin()).equals(Optional.ofNullable(volume.origin()))
        || !info.attributes().equals(volume.attributes())) {
      throw new AssertionError(
          "expected %s of %d bytes, reserved %s, from %s with %s, found %s"
              .formatted(
                  volume.kind(),
                  volume.sizeInBytes(),
                  volume.reserved(),
                  volume.origin(),
                  volume.attributes(),
                  info));
    }
    ByteBuffer content = ByteBuffer.allocateDirect((int) volume.sizeInBytes());
    Await.io(done -> engine.open(volume.id()).read(0, content, done));
    String wrong = volume.learn(content.flip());
    if (wrong != null) {
      throw new AssertionError(wrong);
    }
  }

  /// Deletes all volumes; what they used must come back.
  public void deleteEverything(StorageEngine engine) {
    List.copyOf(volumes.keySet()).forEach(id -> engine.delete(newOperation(), id));
    volumes.clear();
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (engine.space().used() > 0 || engine.space().reserved() > 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "expected nothing in use without volumes, found " + engine.space());
      }
      Thread.onSpinWait();
    }
  }

  // --- choices
  // --------------------------------------------------------------------------------------

  OperationId newOperation() {
    return new OperationId(new UUID(random.nextLong(), random.nextLong()));
  }

  VolumeId newVolumeId() {
    return new VolumeId(new UUID(random.nextLong(), random.nextLong()));
  }

  @Nullable ModelVolume any(@Nullable VolumeKind kind) {
    List<ModelVolume> candidates =
        volumes.values().stream().filter(volume -> kind == null || volume.kind() == kind).toList();
    return candidates.isEmpty() ? null : candidates.get(random.nextInt(candidates.size()));
  }

  int[] freshNumbers(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = ++lastNumber;
    }
    return numbers;
  }
}
