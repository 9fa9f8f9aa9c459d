package io.coppice.engine.check;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/// A small pool that was written over until its cleaner had moved blocks, some before its
/// checkpoint and some after: survivors that the tables name, and survivors that the log names.
final class CleanedPool {

  private static final int BLOCKS = 384;
  private static final VolumeId VOLUME = new VolumeId(new UUID(5, 1));

  private final SplittableRandom random;
  private final byte[] image;
  private final byte[] content = new byte[BLOCKS * 4096];

  CleanedPool(long seed) {
    random = new SplittableRandom(seed);
    MemoryDevice device = new MemoryDevice(new byte[UsedPool.SIZE]);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(new UUID(7, seed), UsedPool.ZONE, UsedPool.CLOCK.instant()));
    RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(
            device,
            EngineOptions.defaults()
                .withReaderThreads(1)
                .withMapMemoryBytes(EngineOptions.MIN_MAP_MEMORY)
                .withCleaning(new CleaningSettings(100, 85, 1, 50, 1000, 200)),
            UsedPool.CLOCK);
    engine.create(new OperationId(new UUID(6, 1)), VolumeSpec.thin(VOLUME, (long) BLOCKS * 4096));
    for (int block = 0; block < BLOCKS; block++) {
      write(engine, block);
    }
    writeUntilMoved(engine, 64);
    engine.checkpoint();
    writeUntilMoved(engine, engine.cleaned().blocksMoved() + 64);
    engine.abandon();
    image = device.copy();
  }

  private void writeUntilMoved(RedirectOnWriteEngine engine, long blocks) {
    while (engine.cleaned().blocksMoved() < blocks) {
      write(engine, random.nextInt(BLOCKS));
    }
  }

  // One number over and over: unlike every other one, and small when compressed.
  private void write(RedirectOnWriteEngine engine, int block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
    long number = random.nextLong();
    while (bytes.hasRemaining()) {
      bytes.putLong(number);
    }
    bytes.flip().duplicate().get(content, block * 4096, 4096);
    Await.io(done -> engine.open(VOLUME).write(block * 4096L, bytes, done));
  }

  byte[] image() {
    return image.clone();
  }

  /// What the volume holds.
  Map<VolumeId, byte[]> contents() {
    return Map.of(VOLUME, content.clone());
  }
}
