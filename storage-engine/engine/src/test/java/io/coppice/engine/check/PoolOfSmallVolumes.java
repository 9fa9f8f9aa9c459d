package io.coppice.engine.check;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// A pool with volumes of less than 1 MiB: some that the tables name, and some that only the log
/// has.
final class PoolOfSmallVolumes {

  private static final int BLOCK = 4096;
  private static final int SMALL = 132 * BLOCK;

  private final RedirectOnWriteEngine engine;
  private final Map<VolumeId, byte[]> contents = new TreeMap<>();
  private final byte[] image;
  private int ids;

  PoolOfSmallVolumes(long seed) {
    MemoryDevice device = new MemoryDevice(new byte[UsedPool.SIZE]);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(new UUID(7, seed), UsedPool.ZONE, UsedPool.CLOCK.instant()));
    engine =
        RedirectOnWriteEngine.open(
            device, EngineOptions.defaults().withReaderThreads(1), UsedPool.CLOCK);
    use();
    engine.abandon();
    image = device.copy();
  }

  private void use() {
    VolumeId first = create(SMALL);
    write(first, 131);
    VolumeId snapshot = copyOf(first);
    engine.snapshot(
        operation(), List.of(new SnapshotSpec(first, snapshot, Map.of())), Duration.ofSeconds(5));
    grow(first, 257 * BLOCK);
    write(first, 256);
    engine.checkpoint();
    write(create(BLOCK), 0);
    VolumeId clone = copyOf(snapshot);
    engine.clone(operation(), new CloneSpec(snapshot, clone, false, Map.of()));
    write(clone, 0);
  }

  private VolumeId create(int size) {
    VolumeId id = new VolumeId(new UUID(5, ++ids));
    engine.create(operation(), VolumeSpec.thin(id, size));
    contents.put(id, new byte[size]);
    return id;
  }

  private VolumeId copyOf(VolumeId source) {
    VolumeId id = new VolumeId(new UUID(5, ++ids));
    contents.put(id, contents.get(source).clone());
    return id;
  }

  private void grow(VolumeId id, int size) {
    engine.resize(operation(), id, size);
    contents.put(id, java.util.Arrays.copyOf(contents.get(id), size));
  }

  // One number over and over: unlike that of every other write, and small when compressed.
  private void write(VolumeId id, int block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    long number = ++ids;
    while (bytes.hasRemaining()) {
      bytes.putLong(number);
    }
    bytes.flip().duplicate().get(contents.get(id), block * BLOCK, BLOCK);
    Await.io(done -> engine.open(id).write((long) block * BLOCK, bytes, done));
  }

  private OperationId operation() {
    return new OperationId(new UUID(6, ++ids));
  }

  byte[] image() {
    return image.clone();
  }

  /// What each volume and snapshot holds.
  Map<VolumeId, byte[]> contents() {
    return contents;
  }
}
