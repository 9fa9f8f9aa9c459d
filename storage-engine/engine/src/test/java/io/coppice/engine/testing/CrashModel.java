package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A client of an engine that may lose power, and what it may believe afterwards.
///
/// One thread. Writes are started without waiting and never overlap while they are open; changes of
/// volumes are waited for. A change cut off by the crash is repeated with its operation id after
/// the recovery, and must then have happened exactly once.
public final class CrashModel {

  private static final int MAX_VOLUMES = 10;
  private static final int MAX_OPEN_WRITES = 12;

  final SplittableRandom random;
  final TreeMap<VolumeId, ModelVolume> volumes = new TreeMap<>();
  final TreeMap<String, String> records = new TreeMap<>();
  private final List<OpenWrite> openWrites = new ArrayList<>();
  private @Nullable VolumeChange cutOff;
  private int lastNumber;

  private record OpenWrite(
      ModelVolume volume, ModelVolume.Unknown write, CompletableFuture<Void> end) {}

  public CrashModel(SplittableRandom random) {
    this.random = random;
  }

  /// Works until `steps` are done or the device fails.
  public void work(StorageEngine engine, int steps) {
    try {
      for (int i = 0; i < steps; i++) {
        step(engine);
      }
      drain();
    } catch (StorageException.DeviceFailed e) {
      doubtAllOpenWrites();
    }
  }

  private void step(StorageEngine engine) {
    int dice = random.nextInt(100);
    if (volumes.isEmpty() || dice >= 80) {
      changeVolumes(engine);
    } else if (dice < 60) {
      startWrite(engine);
    } else if (dice < 70) {
      drain();
    } else {
      checkSomething(engine);
    }
  }

  // --- writes
  // ---------------------------------------------------------------------------------------

  private void startWrite(StorageEngine engine) {
    ModelVolume volume = any(VolumeKind.WRITABLE);
    if (volume == null) {
      return;
    }
    if (openWrites.size() >= MAX_OPEN_WRITES) {
      drain();
    }
    boolean aligned = random.nextInt(4) > 0;
    int unit = aligned ? 8 : 1;
    int count = unit * (1 + random.nextInt(random.nextInt(8) == 0 ? 64 : 6));
    int first = random.nextInt((volume.sectors() - count) / unit + 1) * unit;
    // Sub-4K writes read and write their neighbours in the same block, so keep away from those as
    // well.
    int from = first / 8 * 8;
    int to = (first + count + 7) / 8 * 8;
    if (to > volume.sectors() || !volume.isCertain(from, to - from)) {
      return;
    }
    int kind = random.nextInt(10);
    ModelVolume.Unknown write =
        new ModelVolume.Unknown(first, kind < 7 ? freshNumbers(count) : new int[count]);
    long offset = (long) first * ModelVolume.SECTOR;
    long length = (long) count * ModelVolume.SECTOR;
    CompletableFuture<Void> end =
        switch (kind) {
          case 7 -> Await.start(done -> engine.open(volume.id()).unmap(offset, length, done));
          case 8, 9 ->
              Await.start(done -> engine.open(volume.id()).writeZeroes(offset, length, done));
          default ->
              Await.start(
                  done ->
                      engine
                          .open(volume.id())
                          .write(offset, direct(ModelVolume.content(write.numbers())), done));
        };
    for (ModelVolume.Unknown part : kind < 7 ? List.of(write) : parts(write)) {
      volume.doubt(part);
      openWrites.add(new OpenWrite(volume, part, end));
    }
  }

  /// Only a write promises to be atomic over a crash. Zeroing may stop between its ragged ends and
  /// the whole blocks.
  private static List<ModelVolume.Unknown> parts(ModelVolume.Unknown zeroes) {
    int first = zeroes.firstSector();
    int end = first + zeroes.numbers().length;
    int firstWhole = Math.min(end, (first + 7) / 8 * 8);
    int lastWhole = Math.max(firstWhole, end / 8 * 8);
    List<ModelVolume.Unknown> parts = new ArrayList<>();
    int[] borders = {first, firstWhole, lastWhole, end};
    for (int i = 0; i < 3; i++) {
      if (borders[i] < borders[i + 1]) {
        parts.add(new ModelVolume.Unknown(borders[i], new int[borders[i + 1] - borders[i]]));
      }
    }
    return parts;
  }

  /// Waits for all open writes; those that succeeded must be there from now on.
  void drain() {
    StorageException.@Nullable DeviceFailed failure = null;
    for (Iterator<OpenWrite> each = openWrites.iterator(); each.hasNext(); ) {
      OpenWrite open = each.next();
      try {
        Await.await(open.end());
        open.volume().settle(open.write(), true);
        each.remove();
      } catch (StorageException.DeviceFailed e) {
        failure = e;
      } catch (StorageException.OutOfSpace e) {
        open.volume().settle(open.write(), false);
        each.remove();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void doubtAllOpenWrites() {
    for (OpenWrite open : openWrites) {
      try {
        Await.await(open.end());
        open.volume().settle(open.write(), true);
      } catch (StorageException.DeviceFailed e) {
        // It stays open in the model: both outcomes are right.
      } catch (StorageException.OutOfSpace e) {
        open.volume().settle(open.write(), false);
      }
    }
    openWrites.clear();
  }

  // --- changes of volumes
  // ---------------------------------------------------------------------------

  private void changeVolumes(StorageEngine engine) {
    VolumeChange change = VolumeChange.choose(this, MAX_VOLUMES);
    if (change == null) {
      return;
    }
    if (change.needsCertainty() || random.nextInt(2) == 0) {
      drain();
    }
    cutOff = change;
    try {
      change.perform(engine);
      change.apply(this);
    } catch (StorageException.OutOfSpace e) {
      // Refused as a whole.
    }
    cutOff = null;
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

  /// After a recovery: repeats what was cut off, then compares everything.
  public void verify(StorageEngine engine) {
    VolumeChange change = cutOff;
    if (change != null) {
      change.repeat(engine, this);
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
        || !Optional.ofNullable(info.origin()).equals(Optional.ofNullable(volume.origin()))
        || !info.attributes().equals(volume.attributes())) {
      throw new AssertionError(
          "expected %s of %d bytes from %s with %s, found %s"
              .formatted(
                  volume.kind(), volume.sizeInBytes(), volume.origin(), volume.attributes(), info));
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

  private int[] freshNumbers(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = ++lastNumber;
    }
    return numbers;
  }

  private static ByteBuffer direct(ByteBuffer heap) {
    return ByteBuffer.allocateDirect(heap.remaining()).put(heap).flip();
  }
}
